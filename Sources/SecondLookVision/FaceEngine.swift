// SPDX-License-Identifier: Apache-2.0
// The library's one object: the networks, loaded once. It opens no camera, keeps nothing, and decides nothing about a login.

import Biometrics
import Platform
import Vision

/// Finds faces and makes templates.
///
/// Use one from one thread or task at a time; several may exist beside each other, each with about 60 MB of networks.
public final class FaceEngine {
    private var detector: Detector
    private let recogniser: Recogniser
    private var liveness: PassiveNetwork?
    private let longest: Int

    /// Whether faces get a `liveness`.
    public var hasLiveness: Bool { liveness != nil }

    /// Loads the networks.
    ///
    /// - Parameters:
    ///   - models: the folder with `detector.onnx`, `recogniser.onnx` and, if wanted, `liveness.onnx`; an installation has them in
    ///     `/usr/libexec/secondlook/models`.
    ///   - runtime: ONNX Runtime's library; without it the one in the folder, beside the folder, or the distribution's.
    ///   - detectorSide: to how many pixels the longer side of a picture is shrunk for the search, 64 to 1,280; faces below about 1/20 of it
    ///     are missed.
    /// - Throws: `models`.
    public init(models: String, runtime: String? = nil, detectorSide: Int = 640) throws(SecondLookVisionError) {
        longest = max(64, min(1280, detectorSide))
        do throws(VisionError) {
            let opened = try FaceEngine.open(runtime.map { [$0] } ?? FaceEngine.runtimes(models))
            let engines = try opened.load([
                (.detector, .path(models + "/detector.onnx")), (.recogniser, .path(models + "/recogniser.onnx")),
            ])
            detector = try Detector(engine: engines[0], longest: longest)
            recogniser = try Recogniser(engine: engines[1])
            liveness = nil
            // A network that is not there is not used; one that is there and not what it should be is an error.
            if SafeFile.existsFollowing(models + "/liveness.onnx") {
                let network = try opened.load([(.liveness, .path(models + "/liveness.onnx"))])
                liveness = try PassiveNetwork(engine: network[0])
            }
        } catch {
            throw .models(error.description)
        }
    }

    /// The faces of a picture, largest first, at most eight; empty when there is none.
    public func detect(in image: FaceImage) throws(SecondLookVisionError) -> [DetectedFace] {
        do throws(VisionError) {
            var faces: [DetectedFace] = []
            for detection in try detector.find(in: image.frame, longest: longest) {
                guard let measures = FaceMeasures(image.frame, detection.landmarks) else { continue }
                let logit = try liveness?.judge(image.frame, detection.box)
                let live = logit.map { Logistic.probability($0) }
                if let face = DetectedFace(detection, measures, liveness: live) { faces.append(face) }
            }
            return faces
        } catch {
            throw .inference(error.description)
        }
    }

    /// The template of a face that was found in the same picture; nil when the face's points coincide.
    public func template(of face: DetectedFace, in image: FaceImage) throws(SecondLookVisionError) -> FaceTemplate? {
        do throws(VisionError) {
            let landmarks = try detector.refined(face.detection, in: image.frame)
            return try recogniser.embed(image.frame, landmarks).map(FaceTemplate.init)
        } catch {
            throw .inference(error.description)
        }
    }

    /// The template of the largest face of a picture; nil when there is no face.
    public func template(ofLargestFaceIn image: FaceImage) throws(SecondLookVisionError) -> FaceTemplate? {
        guard let face = try detect(in: image).first else { return nil }
        return try template(of: face, in: image)
    }

    private static func open(_ paths: [String]) throws(VisionError) -> InferenceRuntime {
        var failure: VisionError?
        for path in paths {
            do throws(VisionError) { return try InferenceRuntime(path: path) } catch { failure = failure ?? error }
        }
        throw failure ?? .runtime("libonnxruntime.so", "no place to look for it")
    }

    private static func runtimes(_ models: String) -> [String] {
        [models + "/libonnxruntime.so", models + "/../libonnxruntime.so", "libonnxruntime.so.1", "libonnxruntime.so"]
    }
}
