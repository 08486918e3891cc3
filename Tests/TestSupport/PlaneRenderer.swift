// SPDX-License-Identifier: Apache-2.0
// A photo held before the camera: one frame projected as a plane that moves, tilts and comes nearer. Perspective is exact, so this is also
// the truth that the depth measure is tested against.

public import Biometrics
import Foundation

/// How a plane is held.
///
/// All zero and scale 1 is the photo filling the picture as it was taken.
public struct PlanePose: Sendable, Equatable {
    /// Radians about the upright axis: positive turns the right side of the picture away.
    public var yaw: Float
    /// Radians about the level axis: positive turns the upper side away.
    public var pitch: Float
    /// Radians in the picture's plane, clockwise.
    public var roll: Float
    /// Nearness: 2 is twice as large.
    public var scale: Float
    /// Shift to the right, in widths of the picture.
    public var x: Float
    /// Shift down, in heights of the picture.
    public var y: Float

    /// A pose.
    public init(yaw: Float = 0, pitch: Float = 0, roll: Float = 0, scale: Float = 1, x: Float = 0, y: Float = 0) {
        self.yaw = yaw
        self.pitch = pitch
        self.roll = roll
        self.scale = scale
        self.x = x
        self.y = y
    }
}

/// Renders one picture as a plane in space.
public struct PlaneRenderer: Sendable {
    /// The focal length of the pretended camera, in widths of the picture: 1.0 is a view of 53 degrees.
    public static let focalLength: Float = 1.0

    private let photo: Frame
    private let background: Frame?
    private let pivot: Point
    private let extent: Box
    private var noise: SensorNoise

    /// A renderer of `photo`.
    ///
    /// - Parameters:
    ///   - extent: the part of the photo that is on the paper, in its pixels; nil is all of it. What lies outside shows `background`.
    ///   - pivot: the point of the photo about which it is turned; nil is the middle.
    ///   - background: what is behind the plane, of the photo's size; nil is an even grey.
    ///   - deviation: sensor noise in grey levels.
    public init(
        photo: Frame, extent: Box? = nil, pivot: Point? = nil, background: Frame? = nil, deviation: Float = 2,
        seed: UInt64
    ) {
        self.photo = photo
        self.background = background
        self.pivot = pivot ?? Point(Float(photo.width) / 2, Float(photo.height) / 2)
        self.extent = extent ?? Box(x: 0, y: 0, width: Float(photo.width), height: Float(photo.height))
        noise = SensorNoise(deviation: deviation, seed: seed)
    }

    /// The photo in this pose, with new noise.
    public mutating func render(_ pose: PlanePose, timestamp: UInt64) -> Frame? {
        let view = PlaneView(pose, pivot: pivot, width: photo.width, height: photo.height)
        let frame = Warp.render(
            photo, width: photo.width, height: photo.height, background: background, timestamp: timestamp
        ) { u, v in
            guard let place = view.source(u, v), place.x >= extent.x, place.y >= extent.y,
                place.x <= extent.x + extent.width, place.y <= extent.y + extent.height
            else { return nil }
            return place
        }
        return frame.map { noise.added(to: $0) }
    }
}

/// The projection of a plane, both ways.
public struct PlaneView: Sendable {
    // The rotation's first two columns, and where the plane's pivot lies before the camera.
    private let first: (x: Float, y: Float, z: Float)
    private let second: (x: Float, y: Float, z: Float)
    private let offset: (x: Float, y: Float, z: Float)
    private let pivot: Point
    private let focal: Float
    private let middle: Point

    /// The view of a plane of `width` x `height` pixels in `pose`, turned about `pivot`.
    public init(_ pose: PlanePose, pivot: Point, width: Int, height: Int) {
        focal = PlaneRenderer.focalLength * Float(width)
        middle = Point(Float(width) / 2, Float(height) / 2)
        self.pivot = pivot
        let (sy, cy) = (sin(pose.yaw), cos(pose.yaw))
        let (sp, cp) = (sin(pose.pitch), cos(pose.pitch))
        let (sr, cr) = (sin(pose.roll), cos(pose.roll))
        // roll, then pitch, then yaw, on (1,0,0) and (0,1,0); z points away from the camera.
        first = (cy * cr - sy * sp * sr, cp * sr, sy * cr + cy * sp * sr)
        second = (-cy * sr - sy * sp * cr, cp * cr, -sy * sr + cy * sp * cr)
        let depth = focal / max(0.05, pose.scale)
        // Unturned and at scale 1 the photo covers the picture.
        let shift = Point(
            pivot.x - middle.x + pose.x * Float(width), pivot.y - middle.y + pose.y * Float(height))
        offset = (shift.x * depth / focal, shift.y * depth / focal, depth)
    }

    /// Where the photo's point appears in the picture.
    public func picture(_ point: Point) -> Point {
        let (a, b) = (point.x - pivot.x, point.y - pivot.y)
        let z = offset.z + first.z * a + second.z * b
        return Point(
            middle.x + focal * (offset.x + first.x * a + second.x * b) / z,
            middle.y + focal * (offset.y + first.y * a + second.y * b) / z)
    }

    /// Which of the photo's points appears at (u, v); nil when the ray misses the plane.
    public func source(_ u: Float, _ v: Float) -> (x: Float, y: Float)? {
        let (p, q) = ((u - middle.x) / focal, (v - middle.y) / focal)
        // offset + first a + second b = t (p, q, 1), t eliminated by its third component.
        let (a1, b1, c1) = (first.x - p * first.z, second.x - p * second.z, p * offset.z - offset.x)
        let (a2, b2, c2) = (first.y - q * first.z, second.y - q * second.z, q * offset.z - offset.y)
        let determinant = a1 * b2 - a2 * b1
        guard abs(determinant) > 1e-6 else { return nil }
        let a = (c1 * b2 - c2 * b1) / determinant
        let b = (a1 * c2 - a2 * c1) / determinant
        guard offset.z + first.z * a + second.z * b > 1 else { return nil }
        return (pivot.x + a, pivot.y + b)
    }
}
