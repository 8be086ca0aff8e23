#include "textflag.h"

// Go's own loops do these sums one number at a time; SSE, which every amd64
// processor has, does four, in the order of dot and exp in Go, rounded after every
// step as there: the numbers are the same to the bit.

// func affineGroups(y, w, x *float32, groups, n int)
TEXT ·affineGroups(SB), NOSPLIT, $0-40
	MOVQ y+0(FP), DI
	MOVQ w+8(FP), SI
	MOVQ x+16(FP), DX
	MOVQ groups+24(FP), CX
	MOVQ n+32(FP), R8
	MOVQ R8, R9
	SHLQ $2, R9             // bytes of a row

group:
	TESTQ CX, CX
	JZ    done
	XORPS X0, X0
	XORPS X1, X1
	XORPS X2, X2
	XORPS X3, X3
	MOVQ  SI, R10
	LEAQ  (R10)(R9*1), R11
	LEAQ  (R11)(R9*1), R12
	LEAQ  (R12)(R9*1), R13
	XORQ  AX, AX            // column
	MOVQ  R8, BX
	SHRQ  $2, BX
	JZ    tail

chunk:
	MOVUPS (DX)(AX*4), X4
	MOVUPS (R10)(AX*4), X5
	MOVUPS (R11)(AX*4), X6
	MOVUPS (R12)(AX*4), X7
	MOVUPS (R13)(AX*4), X8
	MULPS  X4, X5
	MULPS  X4, X6
	MULPS  X4, X7
	MULPS  X4, X8
	ADDPS  X5, X0
	ADDPS  X6, X1
	ADDPS  X7, X2
	ADDPS  X8, X3
	ADDQ   $4, AX
	DECQ   BX
	JNZ    chunk

tail:
	CMPQ  AX, R8
	JGE   reduce
	MOVSS (DX)(AX*4), X4
	MOVSS (R10)(AX*4), X5
	MOVSS (R11)(AX*4), X6
	MOVSS (R12)(AX*4), X7
	MOVSS (R13)(AX*4), X8
	MULSS X4, X5
	MULSS X4, X6
	MULSS X4, X7
	MULSS X4, X8
	ADDSS X5, X0
	ADDSS X6, X1
	ADDSS X7, X2
	ADDSS X8, X3
	INCQ  AX
	JMP   tail

reduce: // transpose, then (s0+s1)+(s2+s3) of the four rows at once
	MOVAPS   X0, X4
	UNPCKLPS X1, X0         // r0s0 r1s0 r0s1 r1s1
	UNPCKHPS X1, X4         // r0s2 r1s2 r0s3 r1s3
	MOVAPS   X2, X5
	UNPCKLPS X3, X2         // r2s0 r3s0 r2s1 r3s1
	UNPCKHPS X3, X5         // r2s2 r3s2 r2s3 r3s3
	MOVAPS   X0, X6
	MOVLHPS  X2, X6         // s0 of r0 r1 r2 r3
	MOVHLPS  X0, X2         // s1
	MOVAPS   X4, X7
	MOVLHPS  X5, X7         // s2
	MOVHLPS  X4, X5         // s3
	ADDPS    X2, X6
	ADDPS    X5, X7
	ADDPS    X7, X6
	MOVUPS   X6, (DI)
	ADDQ     $16, DI
	LEAQ     (SI)(R9*4), SI
	DECQ     CX
	JMP      group

done:
	RET

DATA consts<>+0(SB)/4, $0xc2ae0000  // -87
DATA consts<>+4(SB)/4, $0x42ae0000  // 87
DATA consts<>+8(SB)/4, $0x3fb8aa3b  // log2 e
DATA consts<>+12(SB)/4, $0x4b400000 // 3 << 22
DATA consts<>+16(SB)/4, $0x3f800000 // 1
DATA consts<>+20(SB)/4, $0x40000000 // 2
GLOBL consts<>(SB), RODATA|NOPTR, $24

DATA poly<>+0(SB)/4, $0x39218489 // 0.000154035
DATA poly<>+4(SB)/4, $0x3aaec3ff // 0.00133336
DATA poly<>+8(SB)/4, $0x3c1d955b // 0.00961813
DATA poly<>+12(SB)/4, $0x3d635847 // 0.0555041
DATA poly<>+16(SB)/4, $0x3e75fdf0 // 0.240227
DATA poly<>+20(SB)/4, $0x3f317218 // 0.693147
GLOBL poly<>(SB), RODATA|NOPTR, $24

#define SPREAD(from, to) \
	MOVSS  from, to     \
	SHUFPS $0, to, to

// EXP sets X0 to e^X0; X1 to X3 are lost. X8 to X15 hold -87, 87, log2 e, 3 << 22, 1 and
// P0 to P2.
#define EXP \
	MAXPS     X8, X0              \
	MINPS     X9, X0              \
	MULPS     X10, X0             \
	MOVAPS    X0, X1              \
	ADDPS     X11, X1             \
	SUBPS     X11, X1             \
	SUBPS     X1, X0              \
	MOVAPS    X13, X2             \
	MULPS     X0, X2              \
	ADDPS     X14, X2             \
	MULPS     X0, X2              \
	ADDPS     X15, X2             \
	MULPS     X0, X2              \
	ADDPS     X5, X2              \
	MULPS     X0, X2              \
	ADDPS     X6, X2              \
	MULPS     X0, X2              \
	ADDPS     X7, X2              \
	MULPS     X0, X2              \
	ADDPS     X12, X2             \
	CVTTPS2PL X1, X1              \
	PSLLL     $23, X1             \
	PADDL     X1, X2              \
	MOVAPS    X2, X0

#define CONSTS \
	SPREAD(consts<>+0(SB), X8)   \
	SPREAD(consts<>+4(SB), X9)   \
	SPREAD(consts<>+8(SB), X10)  \
	SPREAD(consts<>+12(SB), X11) \
	SPREAD(consts<>+16(SB), X12) \
	SPREAD(poly<>+0(SB), X13)    \
	SPREAD(poly<>+4(SB), X14)    \
	SPREAD(poly<>+8(SB), X15)    \
	SPREAD(poly<>+12(SB), X5)    \
	SPREAD(poly<>+16(SB), X6)    \
	SPREAD(poly<>+20(SB), X7)

// func sigmoidGroups(v *float32, groups int)
TEXT ·sigmoidGroups(SB), NOSPLIT, $0-16
	MOVQ v+0(FP), DI
	MOVQ groups+8(FP), CX
	CONSTS

next:
	TESTQ  CX, CX
	JZ     out
	MOVUPS (DI), X1
	XORPS  X0, X0
	SUBPS  X1, X0
	EXP
	ADDPS  X12, X0
	MOVAPS X12, X1
	DIVPS  X0, X1
	MOVUPS X1, (DI)
	ADDQ   $16, DI
	DECQ   CX
	JMP    next

out:
	RET

// func tanhGroups(v *float32, groups int)
TEXT ·tanhGroups(SB), NOSPLIT, $0-16
	MOVQ v+0(FP), DI
	MOVQ groups+8(FP), CX
	CONSTS
	SPREAD(consts<>+20(SB), X4)

next:
	TESTQ  CX, CX
	JZ     out
	MOVUPS (DI), X0
	MULPS  X4, X0
	EXP
	ADDPS  X12, X0
	MOVAPS X4, X1
	DIVPS  X0, X1
	MOVAPS X12, X2
	SUBPS  X1, X2
	MOVUPS X2, (DI)
	ADDQ   $16, DI
	DECQ   CX
	JMP    next

out:
	RET
