// SPDX-License-Identifier: Apache-2.0
// What the detector shows its network, and how it puts faces back into the frame.

import Biometrics
import Testing

@testable import Vision

@Suite struct DetectorTests {
    /// One face in the first cell of stride 32.
    private func oneFace(_ tensor: Tensor) -> [Float] {
        var values = [Float](repeating: 0, count: tensor.shape.reduce(1, *))
        switch tensor.name {
        case "cls_32", "obj_32": values[0] = 1
        case "bbox_32": values.replaceSubrange(0..<4, with: [0.5, 0.5, 0, 0])
        case "kps_32": values.replaceSubrange(0..<10, with: [0.3, 0.4, 0.7, 0.4, 0.5, 0.6, 0.35, 0.8, 0.65, 0.8])
        default: break
        }
        return values
    }

    @Test func shrinksAndPutsBack() throws {
        let engine = FakeEngine.detector { tensor, _ in self.oneFace(tensor) }
        var detector = try Detector(engine: engine)
        let face = try #require(try detector.find(in: texture(640, 480)).first)
        // 640x480 is seen as 320x240 in 320x256: numbers double on the way back.
        #expect(engine.seen.count == 3 * 320 * 256)
        #expect(face.box == Box(x: 0, y: 0, width: 64, height: 64))
        #expect(face.landmarks.nose == Point(32, 38.4))
        #expect(detector.reduction == 2)
        #expect(detector.luminance.width == 320 && detector.luminance.height == 240)
    }

    @Test func showsBlueFirstAndAMarginOfBlack() throws {
        let engine = FakeEngine.detector { tensor, _ in self.oneFace(tensor) }
        var detector = try Detector(engine: engine)
        let frame = texture(100, 70)
        _ = try detector.find(in: frame)
        let plane = 128 * 96
        #expect(engine.seen.count == 3 * plane)
        #expect(engine.seen[0] == Float(frame.pixels[2]) && engine.seen[2 * plane] == Float(frame.pixels[0]))
        #expect(engine.seen[100] == 0 && engine.seen[70 * 128] == 0)
    }

    @Test func looksAgainAtAFaceAlone() throws {
        let engine = FakeEngine.detector { tensor, _ in
            var values = [Float](repeating: 0, count: tensor.shape.reduce(1, *))
            switch tensor.name {
            // The middle of ten cells of 32, a little less than the box in the second look.
            case "cls_32", "obj_32": values[45] = 1
            case "bbox_32": values.replaceSubrange(180..<184, with: [0, 1, 1.8, 1.8])
            case "kps_32": values.replaceSubrange(450..<460, with: [-2, -1, 2, -1, 0, 1, -1, 3, 1, 3])
            default: break
            }
            return values
        }
        var detector = try Detector(engine: engine)
        let frame = texture(640, 480)
        let first = Detection(
            box: Box(x: 200, y: 100, width: 160, height: 200), score: 0.9,
            landmarks: landmarks(broughtBackBy: SimilarityTransform(a: 2, b: 0, tx: 200, ty: 100)))
        // A square of 300 from (130, 50), seen as 320: a cell is 30 pixels; cell 45 lies at (5, 4).
        let close = try detector.refined(first, in: frame)
        #expect(close.nose.distance(to: Point(130 + 5 * 30, 50 + 5 * 30)) < 1e-3)
        #expect(close.rightEye.distance(to: Point(130 + 3 * 30, 50 + 3 * 30)) < 1e-3)
        #expect(engine.seen.count == 3 * 320 * 320)
    }

    @Test func keepsItsLandmarksWhenTheSecondLookFindsAnotherFace() throws {
        let engine = FakeEngine.detector { tensor, _ in self.oneFace(tensor) }
        var detector = try Detector(engine: engine)
        let first = Detection(
            box: Box(x: 200, y: 100, width: 160, height: 200), score: 0.9,
            landmarks: landmarks(broughtBackBy: SimilarityTransform(a: 2, b: 0, tx: 200, ty: 100)))
        #expect(try detector.refined(first, in: texture(640, 480)) == first.landmarks)
        let vast = Detection(
            box: Box(x: -4_000, y: -4_000, width: 12_000, height: 9), score: 1, landmarks: first.landmarks)
        #expect(try detector.refined(vast, in: texture(64, 64)) == first.landmarks)
    }

    @Test func neverEnlarges() throws {
        let engine = FakeEngine.detector { tensor, _ in self.oneFace(tensor) }
        var detector = try Detector(engine: engine)
        let face = try #require(try detector.find(in: texture(64, 64)).first)
        #expect(face.box == Box(x: 0, y: 0, width: 32, height: 32))
    }

    @Test(arguments: [(4096, 1), (1, 4096), (1, 1), (4096, 4096)]) func takesAnyShape(width: Int, height: Int) throws {
        let pixels = [UInt8](repeating: 9, count: width * height)
        let frame = try #require(Frame(width: width, height: height, format: .grey, pixels: pixels, timestamp: 0))
        let engine = FakeEngine.detector { tensor, _ in [Float](repeating: 0, count: tensor.shape.reduce(1, *)) }
        var detector = try Detector(engine: engine)
        #expect(try detector.find(in: frame).isEmpty)
    }

    @Test func reportsNoMoreFacesThanTheWireCarries() throws {
        let engine = FakeEngine.detector { tensor, _ in
            // Every cell of stride 32 a face of its own, some small.
            let count = tensor.shape.reduce(1, *)
            switch tensor.name {
            case "cls_32", "obj_32": return [Float](repeating: 0.9, count: count)
            case "bbox_32": return (0..<count).map { $0 % 4 < 2 ? 0.5 : -0.1 * Float($0 / 4 % 7) }
            case "kps_32": return (0..<count).map { Float($0 % 10) / 10 }
            default: return [Float](repeating: 0, count: count)
            }
        }
        var detector = try Detector(engine: engine)
        let faces = try detector.find(in: texture(320, 256))
        #expect(faces.count == FrameEvidence.mostFaces)
        #expect(
            zip(faces, faces.dropFirst()).allSatisfy { $0.box.width * $0.box.height >= $1.box.width * $1.box.height })
    }
}

@Suite(.enabled(if: Models.arePresent, "SECONDLOOK_MODELS names no folder of models"))
struct DetectorMarginTests {
    @Test func showsNothingOfAnEarlierPicture() throws {
        // Both sizes are laid into the same 128x96, the second smaller than the first.
        let runtime = try InferenceRuntime(path: Models.path("libonnxruntime.so"))
        let engine = try runtime.load([(.detector, .path(Models.path("detector.onnx")))])[0]
        var (used, fresh) = (try Detector(engine: engine, threshold: 0.0001), [Detection]())
        let small = texture(100, 70)
        let other = try runtime.load([(.detector, .path(Models.path("detector.onnx")))])[0]
        var unused = try Detector(engine: other, threshold: 0.0001)
        fresh = try unused.find(in: small)
        _ = try used.find(in: texture(128, 96))
        #expect(try used.find(in: small) == fresh)
        #expect(!fresh.isEmpty)
    }
}
