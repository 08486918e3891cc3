// SPDX-License-Identifier: Apache-2.0
// The functions of the C library's mathematics that Vision needs, with one spelling.

import Glibc

/// e to the power of `x`.
func exponential(_ x: Float) -> Float { exp(x) }

/// The natural logarithm of `x`.
func logarithm(_ x: Float) -> Float { log(x) }
