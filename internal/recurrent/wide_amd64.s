#include "textflag.h"

// Vectors of eight and sixteen numbers, of processors with AVX2 and AVX-512, do the sums of
// vector.go in the order of dot and exp in Go, rounded after every step as there (nothing is
// fused): the numbers are the same to the bit.

DATA cLow<>+0(SB)/8, $0xc2ae0000c2ae0000  // -87
DATA cLow<>+8(SB)/8, $0xc2ae0000c2ae0000
DATA cLow<>+16(SB)/8, $0xc2ae0000c2ae0000
DATA cLow<>+24(SB)/8, $0xc2ae0000c2ae0000
GLOBL cLow<>(SB), RODATA|NOPTR, $32
DATA cHigh<>+0(SB)/8, $0x42ae000042ae0000  // 87
DATA cHigh<>+8(SB)/8, $0x42ae000042ae0000
DATA cHigh<>+16(SB)/8, $0x42ae000042ae0000
DATA cHigh<>+24(SB)/8, $0x42ae000042ae0000
GLOBL cHigh<>(SB), RODATA|NOPTR, $32
DATA cLog2e<>+0(SB)/8, $0x3fb8aa3b3fb8aa3b  // log2 e
DATA cLog2e<>+8(SB)/8, $0x3fb8aa3b3fb8aa3b
DATA cLog2e<>+16(SB)/8, $0x3fb8aa3b3fb8aa3b
DATA cLog2e<>+24(SB)/8, $0x3fb8aa3b3fb8aa3b
GLOBL cLog2e<>(SB), RODATA|NOPTR, $32
DATA cWhole<>+0(SB)/8, $0x4b4000004b400000  // 3 << 22
DATA cWhole<>+8(SB)/8, $0x4b4000004b400000
DATA cWhole<>+16(SB)/8, $0x4b4000004b400000
DATA cWhole<>+24(SB)/8, $0x4b4000004b400000
GLOBL cWhole<>(SB), RODATA|NOPTR, $32
DATA cOne<>+0(SB)/8, $0x3f8000003f800000  // 1
DATA cOne<>+8(SB)/8, $0x3f8000003f800000
DATA cOne<>+16(SB)/8, $0x3f8000003f800000
DATA cOne<>+24(SB)/8, $0x3f8000003f800000
GLOBL cOne<>(SB), RODATA|NOPTR, $32
DATA cTwo<>+0(SB)/8, $0x4000000040000000  // 2
DATA cTwo<>+8(SB)/8, $0x4000000040000000
DATA cTwo<>+16(SB)/8, $0x4000000040000000
DATA cTwo<>+24(SB)/8, $0x4000000040000000
GLOBL cTwo<>(SB), RODATA|NOPTR, $32
DATA cP0<>+0(SB)/8, $0x3921848939218489  // 0.000154035
DATA cP0<>+8(SB)/8, $0x3921848939218489
DATA cP0<>+16(SB)/8, $0x3921848939218489
DATA cP0<>+24(SB)/8, $0x3921848939218489
GLOBL cP0<>(SB), RODATA|NOPTR, $32
DATA cP1<>+0(SB)/8, $0x3aaec3ff3aaec3ff  // 0.00133336
DATA cP1<>+8(SB)/8, $0x3aaec3ff3aaec3ff
DATA cP1<>+16(SB)/8, $0x3aaec3ff3aaec3ff
DATA cP1<>+24(SB)/8, $0x3aaec3ff3aaec3ff
GLOBL cP1<>(SB), RODATA|NOPTR, $32
DATA cP2<>+0(SB)/8, $0x3c1d955b3c1d955b  // 0.00961813
DATA cP2<>+8(SB)/8, $0x3c1d955b3c1d955b
DATA cP2<>+16(SB)/8, $0x3c1d955b3c1d955b
DATA cP2<>+24(SB)/8, $0x3c1d955b3c1d955b
GLOBL cP2<>(SB), RODATA|NOPTR, $32
DATA cP3<>+0(SB)/8, $0x3d6358473d635847  // 0.0555041
DATA cP3<>+8(SB)/8, $0x3d6358473d635847
DATA cP3<>+16(SB)/8, $0x3d6358473d635847
DATA cP3<>+24(SB)/8, $0x3d6358473d635847
GLOBL cP3<>(SB), RODATA|NOPTR, $32
DATA cP4<>+0(SB)/8, $0x3e75fdf03e75fdf0  // 0.240227
DATA cP4<>+8(SB)/8, $0x3e75fdf03e75fdf0
DATA cP4<>+16(SB)/8, $0x3e75fdf03e75fdf0
DATA cP4<>+24(SB)/8, $0x3e75fdf03e75fdf0
GLOBL cP4<>(SB), RODATA|NOPTR, $32
DATA cP5<>+0(SB)/8, $0x3f3172183f317218  // 0.693147
DATA cP5<>+8(SB)/8, $0x3f3172183f317218
DATA cP5<>+16(SB)/8, $0x3f3172183f317218
DATA cP5<>+24(SB)/8, $0x3f3172183f317218
GLOBL cP5<>(SB), RODATA|NOPTR, $32

// EXP8 sets x to e^x; t and u are lost.
#define EXP8(x, t, u) \
	VMAXPS     cLow<>(SB), x, x   \
	VMINPS     cHigh<>(SB), x, x  \
	VMULPS     cLog2e<>(SB), x, x \
	VADDPS     cWhole<>(SB), x, t \
	VSUBPS     cWhole<>(SB), t, t \
	VSUBPS     t, x, x            \
	VMULPS     cP0<>(SB), x, u    \
	VADDPS     cP1<>(SB), u, u    \
	VMULPS     x, u, u            \
	VADDPS     cP2<>(SB), u, u    \
	VMULPS     x, u, u            \
	VADDPS     cP3<>(SB), u, u    \
	VMULPS     x, u, u            \
	VADDPS     cP4<>(SB), u, u    \
	VMULPS     x, u, u            \
	VADDPS     cP5<>(SB), u, u    \
	VMULPS     x, u, u            \
	VADDPS     cOne<>(SB), u, u   \
	VCVTTPS2DQ t, t               \
	VPSLLD     $23, t, t          \
	VPADDD     t, u, x

// SIGMOID8 sets x to 1/(1+e^-x); t and u are lost.
#define SIGMOID8(x, t, u) \
	VXORPS  t, t, t          \
	VSUBPS  x, t, x          \
	EXP8(x, t, u)            \
	VADDPS  cOne<>(SB), x, x \
	VMOVUPS cOne<>(SB), t    \
	VDIVPS  x, t, x

// TANH8 sets x to 1-2/(1+e^2x); t and u are lost.
#define TANH8(x, t, u) \
	VMULPS  cTwo<>(SB), x, x \
	EXP8(x, t, u)            \
	VADDPS  cOne<>(SB), x, x \
	VMOVUPS cTwo<>(SB), t    \
	VDIVPS  x, t, x          \
	VMOVUPS cOne<>(SB), t    \
	VSUBPS  x, t, x

// func tanh8(v *float32, groups int)
TEXT ·tanh8(SB), NOSPLIT, $0-16
	MOVQ v+0(FP), DI
	MOVQ groups+8(FP), CX

next:
	TESTQ   CX, CX
	JZ      out
	VMOVUPS (DI), Y0
	TANH8(Y0, Y1, Y2)
	VMOVUPS Y0, (DI)
	ADDQ    $32, DI
	DECQ    CX
	JMP     next

out:
	VZEROUPPER
	RET

// A value of the state times the weights of a group: reset gates to r, update gates to z,
// candidates to c.
#define STATE8(i, r, z, c) \
	VBROADCASTSS (4*i)(DX)(AX*4), Y12 \
	VMULPS       (96*i)(SI), Y12, Y13    \
	VMULPS       (96*i+32)(SI), Y12, Y14 \
	VMULPS       (96*i+64)(SI), Y12, Y15 \
	VADDPS       Y13, r, r               \
	VADDPS       Y14, z, z               \
	VADDPS       Y15, c, c

#define SUM8(a, b, c, d) \
	VADDPS b, a, a \
	VADDPS d, c, c \
	VADDPS c, a, a

// func units8(out, gates, last, w, inside *float32, units int)
TEXT ·units8(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ gates+8(FP), R8
	MOVQ last+16(FP), DX
	MOVQ w+24(FP), SI
	MOVQ inside+32(FP), BX
	MOVQ units+40(FP), R9
	LEAQ (R8)(R9*4), R10  // update gates
	LEAQ (R10)(R9*4), R11 // candidates
	XORQ R12, R12         // unit

unit:
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	VXORPS Y8, Y8, Y8
	VXORPS Y9, Y9, Y9
	VXORPS Y10, Y10, Y10
	VXORPS Y11, Y11, Y11
	XORQ   AX, AX

value:
	STATE8(0, Y0, Y4, Y8)
	STATE8(1, Y1, Y5, Y9)
	STATE8(2, Y2, Y6, Y10)
	STATE8(3, Y3, Y7, Y11)
	ADDQ $384, SI
	ADDQ $4, AX
	CMPQ AX, R9
	JLT  value

	SUM8(Y0, Y1, Y2, Y3)
	SUM8(Y4, Y5, Y6, Y7)
	SUM8(Y8, Y9, Y10, Y11)
	VADDPS  (R8)(R12*4), Y0, Y0
	VADDPS  (R10)(R12*4), Y4, Y4
	VADDPS  (BX)(R12*4), Y8, Y8
	SIGMOID8(Y0, Y1, Y2)
	SIGMOID8(Y4, Y5, Y6)
	VMULPS  Y8, Y0, Y8
	VADDPS  (R11)(R12*4), Y8, Y8
	TANH8(Y8, Y9, Y10)
	VMOVUPS (DX)(R12*4), Y0
	VSUBPS  Y8, Y0, Y0
	VMULPS  Y0, Y4, Y0
	VADDPS  Y0, Y8, Y0
	VMOVUPS Y0, (DI)(R12*4)
	ADDQ    $8, R12
	CMPQ    R12, R9
	JLT     unit
	VZEROUPPER
	RET

// A column of a group of rows times the values of two items, added to a and b.
#define COLUMN8(i, a, b) \
	VMOVUPS      (32*i)(SI), Y8          \
	VBROADCASTSS (4*i)(DX)(AX*4), Y9     \
	VBROADCASTSS (4*i)(R13)(AX*4), Y10   \
	VMULPS       Y8, Y9, Y9              \
	VMULPS       Y8, Y10, Y10            \
	VADDPS       Y9, a, a                \
	VADDPS       Y10, b, b

// func affine8(y, w, b, x *float32, groups, n, items, yStride, xStride int)
TEXT ·affine8(SB), NOSPLIT, $0-72
	MOVQ y+0(FP), DI
	MOVQ x+24(FP), DX
	MOVQ items+48(FP), R10

pair: // of items; the last one may go with itself
	TESTQ R10, R10
	JLE   done
	XORQ  R11, R11
	XORQ  R12, R12
	CMPQ  R10, $1
	JE    one
	MOVQ  yStride+56(FP), R11
	MOVQ  xStride+64(FP), R12

one:
	LEAQ (DX)(R12*1), R13
	LEAQ (DI)(R11*1), R9
	MOVQ w+8(FP), SI
	MOVQ b+16(FP), BX
	MOVQ groups+32(FP), R8

group:
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	XORQ   AX, AX
	MOVQ   n+40(FP), CX
	SHRQ   $2, CX
	JZ     tail

chunk:
	COLUMN8(0, Y0, Y4)
	COLUMN8(1, Y1, Y5)
	COLUMN8(2, Y2, Y6)
	COLUMN8(3, Y3, Y7)
	ADDQ $128, SI
	ADDQ $4, AX
	DECQ CX
	JNZ  chunk

tail:
	CMPQ AX, n+40(FP)
	JGE  sum
	COLUMN8(0, Y0, Y4)
	ADDQ $32, SI
	INCQ AX
	JMP  tail

sum:
	SUM8(Y0, Y1, Y2, Y3)
	SUM8(Y4, Y5, Y6, Y7)
	VADDPS  (BX), Y0, Y0
	VADDPS  (BX), Y4, Y4
	VMOVUPS Y0, (DI)
	VMOVUPS Y4, (R9)
	ADDQ    $32, DI
	ADDQ    $32, R9
	ADDQ    $32, BX
	DECQ    R8
	JNZ     group

	MOVQ groups+32(FP), R8
	SHLQ $5, R8
	SUBQ R8, DI
	LEAQ (DI)(R11*2), DI
	LEAQ (DX)(R12*2), DX
	SUBQ $2, R10
	JMP  pair

done:
	VZEROUPPER
	RET

// A column of a group of rows times the values of two items, added to a and b.
#define COLUMN16(i, a, b) \
	VMOVUPS     (64*i)(SI), Z8                 \
	VMULPS.BCST (4*i)(DX)(AX*4), Z8, Z9        \
	VMULPS.BCST (4*i)(R13)(AX*4), Z8, Z10      \
	VADDPS      Z9, a, a                       \
	VADDPS      Z10, b, b

// func affine16(y, w, b, x *float32, groups, n, items, yStride, xStride int)
TEXT ·affine16(SB), NOSPLIT, $0-72
	MOVQ y+0(FP), DI
	MOVQ x+24(FP), DX
	MOVQ items+48(FP), R10

pair: // of items; the last one may go with itself
	TESTQ R10, R10
	JLE   done
	XORQ  R11, R11
	XORQ  R12, R12
	CMPQ  R10, $1
	JE    one
	MOVQ  yStride+56(FP), R11
	MOVQ  xStride+64(FP), R12

one:
	LEAQ (DX)(R12*1), R13
	LEAQ (DI)(R11*1), R9
	MOVQ w+8(FP), SI
	MOVQ b+16(FP), BX
	MOVQ groups+32(FP), R8

group:
	VXORPS Y0, Y0, Y0 // clears the upper half too
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	XORQ   AX, AX
	MOVQ   n+40(FP), CX
	SHRQ   $2, CX
	JZ     tail

chunk:
	COLUMN16(0, Z0, Z4)
	COLUMN16(1, Z1, Z5)
	COLUMN16(2, Z2, Z6)
	COLUMN16(3, Z3, Z7)
	ADDQ $256, SI
	ADDQ $4, AX
	DECQ CX
	JNZ  chunk

tail:
	CMPQ AX, n+40(FP)
	JGE  sum
	COLUMN16(0, Z0, Z4)
	ADDQ $64, SI
	INCQ AX
	JMP  tail

sum:
	SUM8(Z0, Z1, Z2, Z3)
	SUM8(Z4, Z5, Z6, Z7)
	VADDPS  (BX), Z0, Z0
	VADDPS  (BX), Z4, Z4
	VMOVUPS Z0, (DI)
	VMOVUPS Z4, (R9)
	ADDQ    $64, DI
	ADDQ    $64, R9
	ADDQ    $64, BX
	DECQ    R8
	JNZ     group

	MOVQ groups+32(FP), R8
	SHLQ $6, R8
	SUBQ R8, DI
	LEAQ (DI)(R11*2), DI
	LEAQ (DX)(R12*2), DX
	SUBQ $2, R10
	JMP  pair

done:
	VZEROUPPER
	RET

// EXP16 is EXP8 for sixteen numbers.
#define EXP16(x, t, u) \
	VMAXPS.BCST cLow<>(SB), x, x   \
	VMINPS.BCST cHigh<>(SB), x, x  \
	VMULPS.BCST cLog2e<>(SB), x, x \
	VADDPS.BCST cWhole<>(SB), x, t \
	VSUBPS.BCST cWhole<>(SB), t, t \
	VSUBPS      t, x, x            \
	VMULPS.BCST cP0<>(SB), x, u    \
	VADDPS.BCST cP1<>(SB), u, u    \
	VMULPS      x, u, u            \
	VADDPS.BCST cP2<>(SB), u, u    \
	VMULPS      x, u, u            \
	VADDPS.BCST cP3<>(SB), u, u    \
	VMULPS      x, u, u            \
	VADDPS.BCST cP4<>(SB), u, u    \
	VMULPS      x, u, u            \
	VADDPS.BCST cP5<>(SB), u, u    \
	VMULPS      x, u, u            \
	VADDPS.BCST cOne<>(SB), u, u   \
	VCVTTPS2DQ  t, t               \
	VPSLLD      $23, t, t          \
	VPADDD      t, u, x

// As STATE8.
#define STATE16(i, r, z, c) \
	VBROADCASTSS (4*i)(DX)(AX*4), Z12     \
	VMULPS       (192*i)(SI), Z12, Z13     \
	VMULPS       (192*i+64)(SI), Z12, Z14  \
	VMULPS       (192*i+128)(SI), Z12, Z15 \
	VADDPS       Z13, r, r                 \
	VADDPS       Z14, z, z                 \
	VADDPS       Z15, c, c

// func units16(out, gates, last, w, inside *float32, units int)
TEXT ·units16(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ gates+8(FP), R8
	MOVQ last+16(FP), DX
	MOVQ w+24(FP), SI
	MOVQ inside+32(FP), BX
	MOVQ units+40(FP), R9
	LEAQ (R8)(R9*4), R10  // update gates
	LEAQ (R10)(R9*4), R11 // candidates
	XORQ R12, R12         // unit
	VBROADCASTSS cOne<>(SB), Z16
	VBROADCASTSS cTwo<>(SB), Z17

unit:
	VXORPS Y0, Y0, Y0 // clears the upper half too
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	VXORPS Y8, Y8, Y8
	VXORPS Y9, Y9, Y9
	VXORPS Y10, Y10, Y10
	VXORPS Y11, Y11, Y11
	XORQ   AX, AX

value:
	STATE16(0, Z0, Z4, Z8)
	STATE16(1, Z1, Z5, Z9)
	STATE16(2, Z2, Z6, Z10)
	STATE16(3, Z3, Z7, Z11)
	ADDQ $768, SI
	ADDQ $4, AX
	CMPQ AX, R9
	JLT  value

	SUM8(Z0, Z1, Z2, Z3)
	SUM8(Z4, Z5, Z6, Z7)
	SUM8(Z8, Z9, Z10, Z11)
	VADDPS  (R8)(R12*4), Z0, Z0
	VADDPS  (R10)(R12*4), Z4, Z4
	VADDPS  (BX)(R12*4), Z8, Z8
	VXORPS  Y1, Y1, Y1
	VSUBPS  Z0, Z1, Z0
	VSUBPS  Z4, Z1, Z4
	EXP16(Z0, Z2, Z3)
	EXP16(Z4, Z5, Z6)
	VADDPS  Z16, Z0, Z0
	VADDPS  Z16, Z4, Z4
	VDIVPS  Z0, Z16, Z0
	VDIVPS  Z4, Z16, Z4
	VMULPS  Z8, Z0, Z8
	VADDPS  (R11)(R12*4), Z8, Z8
	VMULPS  Z17, Z8, Z8
	EXP16(Z8, Z9, Z10)
	VADDPS  Z16, Z8, Z8
	VDIVPS  Z8, Z17, Z8
	VSUBPS  Z8, Z16, Z8
	VMOVUPS (DX)(R12*4), Z0
	VSUBPS  Z8, Z0, Z0
	VMULPS  Z0, Z4, Z0
	VADDPS  Z0, Z8, Z0
	VMOVUPS Z0, (DI)(R12*4)
	ADDQ    $16, R12
	CMPQ    R12, R9
	JLT     unit
	VZEROUPPER
	RET

// The first or last of these eight numbers from some place on are the lanes that are left over.
DATA left<>+0(SB)/8, $0xffffffffffffffff
DATA left<>+8(SB)/8, $0xffffffffffffffff
DATA left<>+16(SB)/8, $0xffffffffffffffff
DATA left<>+24(SB)/8, $0xffffffffffffffff
DATA left<>+32(SB)/8, $0
DATA left<>+40(SB)/8, $0
DATA left<>+48(SB)/8, $0
DATA left<>+56(SB)/8, $0
GLOBL left<>(SB), RODATA|NOPTR, $64

// Y0 becomes (Y0 - mean) scale, at most Y3 and at least Y4; NaN stays.
#define STANDARDISE8(mean, scale) \
	VSUBPS mean, Y0, Y0  \
	VMULPS scale, Y0, Y0 \
	VMINPS Y0, Y3, Y0    \
	VMAXPS Y0, Y4, Y0

// func standardise8(rows, mean, scale *float32, width, n int, limit float32)
TEXT ·standardise8(SB), NOSPLIT, $0-44
	MOVQ         rows+0(FP), DI
	MOVQ         width+24(FP), R8
	MOVQ         n+32(FP), R9
	VBROADCASTSS limit+40(FP), Y3
	VXORPS       Y4, Y4, Y4
	VSUBPS       Y3, Y4, Y4
	MOVQ         R8, R10
	ANDQ         $7, R10           // values left over
	LEAQ         left<>+32(SB), R11
	MOVQ         R10, AX
	SHLQ         $2, AX
	SUBQ         AX, R11
	VMOVUPS      (R11), Y5
	SHRQ         $3, R8

row:
	MOVQ  mean+8(FP), SI
	MOVQ  scale+16(FP), DX
	MOVQ  R8, CX
	TESTQ CX, CX
	JZ    rest

eight:
	VMOVUPS (DI), Y0
	STANDARDISE8((SI), (DX))
	VMOVUPS Y0, (DI)
	ADDQ    $32, DI
	ADDQ    $32, SI
	ADDQ    $32, DX
	DECQ    CX
	JNZ     eight

rest:
	TESTQ      R10, R10
	JZ         end
	VMASKMOVPS (DI), Y5, Y0
	VMASKMOVPS (SI), Y5, Y1
	VMASKMOVPS (DX), Y5, Y2
	STANDARDISE8(Y1, Y2)
	VMASKMOVPS Y0, Y5, (DI)
	LEAQ       (DI)(R10*4), DI

end:
	DECQ R9
	JNZ  row
	VZEROUPPER
	RET
