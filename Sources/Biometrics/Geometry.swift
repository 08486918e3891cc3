// SPDX-License-Identifier: Apache-2.0
// Points, boxes and the five landmarks, in pixels of the frame they were found in (x to the right, y down).

/// A point in pixels of a frame.
public struct Point: Sendable, Equatable {
    /// Distance from the left edge.
    public var x: Float
    /// Distance from the upper edge.
    public var y: Float

    /// The point (x, y).
    public init(_ x: Float, _ y: Float) {
        self.x = x
        self.y = y
    }

    /// The Euclidean distance to another point, in pixels.
    public func distance(to other: Point) -> Float {
        let dx = x - other.x
        let dy = y - other.y
        return (dx * dx + dy * dy).squareRoot()
    }
}

/// An upright rectangle in pixels of a frame; it may reach beyond the frame.
public struct Box: Sendable, Equatable {
    /// Left edge.
    public var x: Float
    /// Upper edge.
    public var y: Float
    /// Width, greater than zero.
    public var width: Float
    /// Height, greater than zero.
    public var height: Float

    /// The box with its upper left corner at (x, y).
    public init(x: Float, y: Float, width: Float, height: Float) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The middle of the box.
    public var centre: Point { Point(x + width / 2, y + height / 2) }

    /// Area of the intersection over area of the union, 0 to 1.
    public func overlap(with other: Box) -> Float {
        let w = min(x + width, other.x + other.width) - max(x, other.x)
        let h = min(y + height, other.y + other.height) - max(y, other.y)
        guard w > 0, h > 0 else { return 0 }
        let common = w * h
        return common / (width * height + other.width * other.height - common)
    }
}

/// The five points YuNet finds; "right" is the person's right, so it is on the left of the picture.
public struct Landmarks: Sendable, Equatable {
    /// Centre of the person's right eye.
    public var rightEye: Point
    /// Centre of the person's left eye.
    public var leftEye: Point
    /// Tip of the nose.
    public var nose: Point
    /// The person's right corner of the mouth.
    public var rightMouth: Point
    /// The person's left corner of the mouth.
    public var leftMouth: Point

    /// The five points in the detector's order.
    public init(rightEye: Point, leftEye: Point, nose: Point, rightMouth: Point, leftMouth: Point) {
        self.rightEye = rightEye
        self.leftEye = leftEye
        self.nose = nose
        self.rightMouth = rightMouth
        self.leftMouth = leftMouth
    }

    /// The points in the detector's order: right eye, left eye, nose, right and left corner of the mouth.
    public var points: [Point] { [rightEye, leftEye, nose, rightMouth, leftMouth] }

    /// Distance between the eyes in pixels.
    public var eyeDistance: Float { rightEye.distance(to: leftEye) }
}
