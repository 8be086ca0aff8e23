#include "textflag.h"

// The words of vectors of four characters, the last character first: eight from the first at the places 3 to
// 10 of a vector, eight from the second at the places 4 to 11.
DATA fours<>+0(SB)/8, $0x0000000100020003
DATA fours<>+8(SB)/8, $0x0001000200030004
DATA fours<>+16(SB)/8, $0x0002000300040005
DATA fours<>+24(SB)/8, $0x0003000400050006
DATA fours<>+32(SB)/8, $0x0004000500060007
DATA fours<>+40(SB)/8, $0x0005000600070008
DATA fours<>+48(SB)/8, $0x0006000700080009
DATA fours<>+56(SB)/8, $0x000700080009000a
DATA fours<>+64(SB)/8, $0x00080009000a000b
GLOBL fours<>(SB), RODATA|NOPTR, $72

// CONSTANT sets all elements of z to c; AX is lost.
#define CONSTANT(c, z) \
	MOVQ         $c, AX \
	VPBROADCASTQ AX, z

// SLOT sets h, with the product of a hash before it, to the slot of the table.
#define SLOT(salt, h) \
	VPMULLQ salt, h, h \
	VPSRLQ  $46, h, h

// LOOKUP adds the weights of the slots h of the lanes k to Y31. A weight is the last byte of four.
#define LOOKUP(h, k) \
	KMOVW      k, K7                    \
	VPXOR      Y15, Y15, Y15            \
	VPGATHERQD -3(DI)(h*1), K7, Y15     \
	VPSRAD     $24, Y15, Y15            \
	VPADDD     Y15, Y31, Y31            \
	KMOVW      k, R8                    \
	POPCNTL    R8, R8                   \
	ADDL       R8, DX

// SUM returns the sum of Y31.
#define SUM \
	VEXTRACTI32X4 $1, Y31, X0 \
	VPADDD       X31, X0, X0       \
	VPSHUFD      $0x4e, X0, X1     \
	VPADDD       X1, X0, X0        \
	VPSHUFD      $0xb1, X0, X1     \
	VPADDD       X1, X0, X0        \
	VMOVD        X0, AX

// func sumChars(codes *uint16, n int, weights *Weights) (sum, count int32)
TEXT ·sumChars(SB), NOSPLIT, $0-32
	MOVQ      codes+0(FP), SI
	MOVQ      n+8(FP), CX
	MOVQ      weights+16(FP), DI
	VMOVDQU64 fours<>+8(SB), Z0
	VMOVDQU64 fours<>+0(SB), Z1
	CONSTANT(0x0000ffffffffffff, Z2)
	CONSTANT(0x165667B19E3779F9, Z3)
	CONSTANT(0x27D4EB2F165667C5, Z4)
	CONSTANT(0x85EBCA77C2B2AE63, Z5)
	VPXORQ    Z31, Z31, Z31
	XORL      DX, DX
	MOVL      $-1, R9

eight:
	BZHIL       CX, R9, R8
	KMOVW       R8, K1
	VMOVDQU16.Z (SI), K1, Y6
	LEAQ        -4(CX), R8
	BZHIL       R8, R9, R8
	KMOVB       R8, K1
	VPERMW      Z6, Z0, Z7
	VPERMW      Z6, Z1, Z8
	VPCMPUQ     $4, Z8, Z7, K1, K2 // not the same four characters again

	VPANDQ Z2, Z7, Z9
	SLOT(Z3, Z9)
	VPSRLQ $31, Z7, Z10
	VPXORQ Z7, Z10, Z10
	SLOT(Z4, Z10)
	VPSRLQ  $48, Z8, Z12
	VPMULLQ Z3, Z12, Z12
	VPSRLQ  $29, Z7, Z11
	VPTERNLOGQ $0x96, Z12, Z7, Z11 // a ^ b ^ c
	SLOT(Z5, Z11)
	LOOKUP(Z9, K2)
	LOOKUP(Z10, K2)
	LOOKUP(Z11, K2)
	ADDQ $16, SI
	SUBQ $8, CX
	CMPQ CX, $4
	JGT  eight

	SUM
	MOVL AX, sum+24(FP)
	MOVL DX, count+28(FP)
	VZEROUPPER
	RET

// func sumWords(words *uint32, n int, weights *Weights) (sum, count int32)
TEXT ·sumWords(SB), NOSPLIT, $0-32
	MOVQ   words+0(FP), SI
	MOVQ   n+8(FP), CX
	MOVQ   weights+16(FP), DI
	CONSTANT(0x9E3779B97F4A7C15, Z2)
	CONSTANT(0xC2B2AE3D27D4EB4F, Z3)
	VPXORQ Z31, Z31, Z31
	XORL   DX, DX
	MOVL   $-1, R9
	MOVL   $0xfe, R10 // the first word has none before it

eight:
	BZHIL       CX, R9, R8
	KMOVB       R8, K1
	ANDL        R10, R8
	KMOVB       R8, K2
	VMOVDQU32.Z (SI), K1, Y6
	VMOVDQU32.Z -4(SI), K2, Y8
	VPMOVZXDQ   Y6, Z7
	VPMOVZXDQ   Y8, Z8
	VPTESTMQ    Z8, Z8, K2, K2
	VPSLLQ      $32, Z8, Z8
	VPORQ       Z7, Z8, Z8
	SLOT(Z2, Z7)
	SLOT(Z3, Z8)
	LOOKUP(Z7, K1)
	LOOKUP(Z8, K2)
	MOVL $0xff, R10
	ADDQ $32, SI
	SUBQ $8, CX
	JG   eight

	SUM
	MOVL AX, sum+24(FP)
	MOVL DX, count+28(FP)
	VZEROUPPER
	RET
