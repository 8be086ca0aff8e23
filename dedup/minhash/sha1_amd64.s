#include "textflag.h"

// Initial values: A, B, C and D from the highest lane on, and E in the highest lane.
DATA sha1Start<>+0(SB)/8, $0x98badcfe10325476
DATA sha1Start<>+8(SB)/8, $0x67452301efcdab89
DATA sha1Start<>+16(SB)/8, $0
DATA sha1Start<>+24(SB)/8, $0xc3d2e1f000000000
GLOBL sha1Start<>(SB), RODATA|NOPTR, $32

// Order of the bytes of a lane of 16 bytes, reversed.
DATA sha1Turn<>+0(SB)/8, $0x08090a0b0c0d0e0f
DATA sha1Turn<>+8(SB)/8, $0x0001020304050607
GLOBL sha1Turn<>(SB), RODATA|NOPTR, $16

// The byte after a message, among 128 zeros.
DATA sha1End<>+64(SB)/8, $0x80
GLOBL sha1End<>(SB), RODATA|NOPTR, $128

// ROUNDS does four rounds with the words of w0 and prepares w1 to w3 for the next ones.
#define ROUNDS(f, e, next, w0, w1, w2, w3) \
	SHA1NEXTE w0, e     \
	MOVO      X0, next  \
	SHA1MSG2  w0, w1    \
	SHA1RNDS4 $f, e, X0 \
	SHA1MSG1  w0, w3    \
	PXOR      w0, w2

// func sha1Short(b *byte, n int) uint64
//
// X0 holds A to D, X1 and X2 hold E in turn, X3 to X6 hold 16 words of the message.
TEXT ·sha1Short(SB), NOSPLIT, $0-24
	MOVQ b+0(FP), SI
	MOVQ n+8(FP), CX

	// the message, a byte 0x80, zeros, and the number of bits
	MOVQ            $-1, AX
	BZHIQ           CX, AX, AX
	KMOVQ           AX, K1
	VMOVDQU8.Z      (SI), K1, Z3
	LEAQ            sha1End<>+64(SB), DX
	SUBQ            CX, DX
	VPORQ           (DX), Z3, Z3
	VBROADCASTI32X4 sha1Turn<>(SB), Z7
	VPSHUFB         Z7, Z3, Z3
	VEXTRACTI32X4   $1, Z3, X4
	VEXTRACTI32X4   $2, Z3, X5
	VEXTRACTI32X4   $3, Z3, X6
	SHLQ            $3, CX
	VMOVQ           CX, X8
	VPOR            X8, X6, X6
	VZEROUPPER

	MOVOU sha1Start<>+0(SB), X0
	MOVOU sha1Start<>+16(SB), X1

	PADDD     X3, X1
	MOVO      X0, X2
	SHA1RNDS4 $0, X1, X0
	SHA1NEXTE X4, X2
	MOVO      X0, X1
	SHA1RNDS4 $0, X2, X0
	SHA1MSG1  X4, X3
	SHA1NEXTE X5, X1
	MOVO      X0, X2
	SHA1RNDS4 $0, X1, X0
	SHA1MSG1  X5, X4
	PXOR      X5, X3
	ROUNDS(0, X2, X1, X6, X3, X4, X5)
	ROUNDS(0, X1, X2, X3, X4, X5, X6)
	ROUNDS(1, X2, X1, X4, X5, X6, X3)
	ROUNDS(1, X1, X2, X5, X6, X3, X4)
	ROUNDS(1, X2, X1, X6, X3, X4, X5)
	ROUNDS(1, X1, X2, X3, X4, X5, X6)
	ROUNDS(1, X2, X1, X4, X5, X6, X3)
	ROUNDS(2, X1, X2, X5, X6, X3, X4)
	ROUNDS(2, X2, X1, X6, X3, X4, X5)
	ROUNDS(2, X1, X2, X3, X4, X5, X6)
	ROUNDS(2, X2, X1, X4, X5, X6, X3)
	ROUNDS(2, X1, X2, X5, X6, X3, X4)
	ROUNDS(3, X2, X1, X6, X3, X4, X5)
	ROUNDS(3, X1, X2, X3, X4, X5, X6)
	ROUNDS(3, X2, X1, X4, X5, X6, X3)
	ROUNDS(3, X1, X2, X5, X6, X3, X4)
	SHA1NEXTE X6, X2
	SHA1RNDS4 $3, X2, X0

	MOVOU  sha1Start<>+0(SB), X1
	PADDD  X1, X0
	MOVOU  sha1Turn<>(SB), X1
	PSHUFB X1, X0
	MOVQ   X0, ret+16(FP)
	RET

// func hasSHA() bool
TEXT ·hasSHA(SB), NOSPLIT, $0-1
	MOVL  $7, AX
	XORL  CX, CX
	CPUID
	SHRL  $29, BX
	ANDL  $1, BX
	MOVB  BX, ret+0(FP)
	RET
