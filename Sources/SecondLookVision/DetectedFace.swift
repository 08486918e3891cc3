// SPDX-License-Identifier: Apache-2.0
// What is known of a face in a picture before anybody is recognised. All places are in pixels of the picture, x to the right, y down.

import Biometrics
import Vision

/// A point in pixels of the picture.
public struct FacePoint: Sendable, Equatable {
    /// From the left edge.
    public var x: Float
    /// From the upper edge.
    public var y: Float
}

/// An upright rectangle in pixels of the picture; it may reach beyond its edges.
public struct FaceBox: Sendable, Equatable {
    /// The left edge.
    public var x: Float
    /// The upper edge.
    public var y: Float
    /// Greater than 0.
    public var width: Float
    /// Greater than 0.
    public var height: Float
}

/// The five points; left and right are the person's own.
public struct FaceLandmarks: Sendable, Equatable {
    /// The middle of the right eye.
    public var rightEye: FacePoint
    /// The middle of the left eye.
    public var leftEye: FacePoint
    /// The tip of the nose.
    public var nose: FacePoint
    /// The right corner of the mouth.
    public var rightMouth: FacePoint
    /// The left corner of the mouth.
    public var leftMouth: FacePoint
}

/// How well a face can be seen.
public struct FaceQuality: Sendable, Equatable {
    /// The detector's score, 0 to 1.
    public var score: Float
    /// Pixels between the eyes; below about 40 a template gets poor.
    public var eyeDistance: Float
    /// Mean luminance of the face, 0 to 255; below 40 is dark, above 220 too bright.
    public var brightness: Float
    /// Standard deviation of the luminance, 0 to 128; nearly 0 is a flat or glaring surface.
    public var contrast: Float
    /// Variance of the Laplacian of the face at 112x112; below about 20 is blurred.
    public var sharpness: Float
}

/// A face in a picture.
public struct DetectedFace: Sendable, Equatable {
    /// Where it is.
    public var box: FaceBox
    /// Its five points.
    public var landmarks: FaceLandmarks
    /// How well it can be seen.
    public var quality: FaceQuality
    /// Degrees, positive when turned to the person's own left, -80 to 80; coarse, about five degrees.
    public var yaw: Float
    /// Degrees, positive when looking up, -80 to 80.
    public var pitch: Float
    /// Degrees, positive when leaning to the person's own right shoulder, -180 to 180.
    public var roll: Float
    /// The passive network's probability of a living face, 0 to 1; nil when the network is not installed.
    ///
    /// Of a single picture it is a hint: a login takes the mean of a session and asks for a turn of the head besides.
    public var liveness: Float?
}

extension DetectedFace {
    init?(_ detection: Detection, _ measures: FaceMeasures, liveness: Float?) {
        guard let pose = Pose(detection.landmarks) else { return nil }
        let found = detection.landmarks
        func point(_ point: Point) -> FacePoint { FacePoint(x: point.x, y: point.y) }
        box = FaceBox(
            x: detection.box.x, y: detection.box.y, width: detection.box.width, height: detection.box.height)
        landmarks = FaceLandmarks(
            rightEye: point(found.rightEye), leftEye: point(found.leftEye), nose: point(found.nose),
            rightMouth: point(found.rightMouth), leftMouth: point(found.leftMouth))
        quality = FaceQuality(
            score: detection.score, eyeDistance: found.eyeDistance, brightness: measures.brightness,
            contrast: measures.contrast, sharpness: measures.sharpness)
        (yaw, pitch, roll) = (pose.yaw, pose.pitch, pose.roll)
        self.liveness = liveness
    }

    /// The same face as the detector names it.
    var detection: Detection {
        func point(_ point: FacePoint) -> Point { Point(point.x, point.y) }
        return Detection(
            box: Box(x: box.x, y: box.y, width: box.width, height: box.height), score: quality.score,
            landmarks: Landmarks(
                rightEye: point(landmarks.rightEye), leftEye: point(landmarks.leftEye), nose: point(landmarks.nose),
                rightMouth: point(landmarks.rightMouth), leftMouth: point(landmarks.leftMouth)))
    }
}
