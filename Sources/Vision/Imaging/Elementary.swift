// SPDX-License-Identifier: Apache-2.0
// The two functions of the C library's mathematics that Vision needs, with one spelling.

import Glibc

/// e to the power of `x`.
func exponential(_ x: Float) -> Float { exp(x) }
