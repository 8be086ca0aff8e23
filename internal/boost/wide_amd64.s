#include "textflag.h"

// Vectors of 32 bytes, one for each row; see wide.go.

DATA first<>+0(SB)/8, $0x7070707070707070
DATA first<>+8(SB)/8, $0x7070707070707070
DATA first<>+16(SB)/8, $0x7070707070707070
DATA first<>+24(SB)/8, $0x7070707070707070
GLOBL first<>(SB), RODATA|NOPTR, $32
DATA second<>+0(SB)/8, $0xf0f0f0f0f0f0f0f0
DATA second<>+8(SB)/8, $0xf0f0f0f0f0f0f0f0
DATA second<>+16(SB)/8, $0xf0f0f0f0f0f0f0f0
DATA second<>+24(SB)/8, $0xf0f0f0f0f0f0f0f0
GLOBL second<>(SB), RODATA|NOPTR, $32

// ASK sets to to -1 for the rows whose value is above the threshold of a level, else 0.
#define ASK(l, at, to) \
	MOVWLZX      (20+2*l)(SI), at \
	MOVQ         (DX)(at*8), at   \
	VMOVDQU      (at)(R8*1), to   \
	VPBROADCASTD (4*l)(SI), Y15   \
	VPCMPGTB     Y15, to, to

// func addWide(sums *wideSums, trees *wideTree, n int, cols **uint8, row int)
TEXT ·addWide(SB), NOSPLIT, $0-40
	MOVQ    sums+0(FP), DI
	MOVQ    trees+8(FP), SI
	MOVQ    n+16(FP), CX
	MOVQ    cols+24(FP), DX
	MOVQ    row+32(FP), R8
	VMOVDQU first<>(SB), Y8
	VMOVDQU second<>(SB), Y9
	VPXOR   Y10, Y10, Y10 // lower halves of the values, two rows each
	VPXOR   Y11, Y11, Y11 // of the odd rows
	VPXOR   Y12, Y12, Y12 // upper halves
	VPXOR   Y13, Y13, Y13

tree: // the index of the leaf, below 0: the answers are its bits, that of the last level the top one
	ASK(4, AX, Y0)
	ASK(3, BX, Y1)
	VPADDB Y0, Y0, Y0
	VPADDB Y1, Y0, Y0
	ASK(2, AX, Y1)
	VPADDB Y0, Y0, Y0
	VPADDB Y1, Y0, Y0
	ASK(1, BX, Y1)
	VPADDB Y0, Y0, Y0
	VPADDB Y1, Y0, Y0
	ASK(0, AX, Y1)
	VPADDB Y0, Y0, Y0
	VPADDB Y1, Y0, Y0

	// An index with its top bit set looks up 0: one from 16 on in the first table, one below
	// in the second.
	VPSUBB         Y0, Y8, Y2
	VPSUBB         Y0, Y9, Y3
	VBROADCASTI128 32(SI), Y4
	VBROADCASTI128 48(SI), Y5
	VBROADCASTI128 64(SI), Y6
	VBROADCASTI128 80(SI), Y7
	VPSHUFB        Y2, Y4, Y4
	VPSHUFB        Y3, Y5, Y5
	VPSHUFB        Y2, Y6, Y6
	VPSHUFB        Y3, Y7, Y7
	VPOR           Y5, Y4, Y4
	VPOR           Y7, Y6, Y6

	VPADDW Y4, Y10, Y10
	VPSRLW $8, Y4, Y4
	VPADDW Y4, Y11, Y11
	VPADDW Y6, Y12, Y12
	VPSRLW $8, Y6, Y6
	VPADDW Y6, Y13, Y13
	ADDQ   $96, SI
	DECQ   CX
	JNZ    tree

	VMOVDQU Y10, (DI)
	VMOVDQU Y11, 32(DI)
	VMOVDQU Y12, 64(DI)
	VMOVDQU Y13, 96(DI)
	VZEROUPPER
	RET

// TURN reads eight rows of eight values from SI on, R9 bytes apart, and stores their columns,
// 64 bytes apart, from at(SP) on.
#define TURN(at) \
	VMOVUPS    (SI), Y0            \
	VMOVUPS    (SI)(R9*1), Y1      \
	LEAQ       (SI)(R9*2), SI      \
	VMOVUPS    (SI), Y2            \
	VMOVUPS    (SI)(R9*1), Y3      \
	LEAQ       (SI)(R9*2), SI      \
	VMOVUPS    (SI), Y4            \
	VMOVUPS    (SI)(R9*1), Y5      \
	LEAQ       (SI)(R9*2), SI      \
	VMOVUPS    (SI), Y6            \
	VMOVUPS    (SI)(R9*1), Y7      \
	LEAQ       (SI)(R9*2), SI      \
	VUNPCKLPS  Y1, Y0, Y8          \
	VUNPCKHPS  Y1, Y0, Y9          \
	VUNPCKLPS  Y3, Y2, Y10         \
	VUNPCKHPS  Y3, Y2, Y11         \
	VUNPCKLPS  Y5, Y4, Y12         \
	VUNPCKHPS  Y5, Y4, Y13         \
	VUNPCKLPS  Y7, Y6, Y14         \
	VUNPCKHPS  Y7, Y6, Y15         \
	VUNPCKLPD  Y10, Y8, Y0         \
	VUNPCKHPD  Y10, Y8, Y1         \
	VUNPCKLPD  Y11, Y9, Y2         \
	VUNPCKHPD  Y11, Y9, Y3         \
	VUNPCKLPD  Y14, Y12, Y4        \
	VUNPCKHPD  Y14, Y12, Y5        \
	VUNPCKLPD  Y15, Y13, Y6        \
	VUNPCKHPD  Y15, Y13, Y7        \
	VPERM2F128 $0x20, Y4, Y0, Y8   \
	VPERM2F128 $0x20, Y5, Y1, Y9   \
	VPERM2F128 $0x20, Y6, Y2, Y10  \
	VPERM2F128 $0x20, Y7, Y3, Y11  \
	VPERM2F128 $0x31, Y4, Y0, Y12  \
	VPERM2F128 $0x31, Y5, Y1, Y13  \
	VPERM2F128 $0x31, Y6, Y2, Y14  \
	VPERM2F128 $0x31, Y7, Y3, Y15  \
	VMOVUPS    Y8, at+0(SP)        \
	VMOVUPS    Y9, at+64(SP)     \
	VMOVUPS    Y10, at+128(SP)   \
	VMOVUPS    Y11, at+192(SP)   \
	VMOVUPS    Y12, at+256(SP)   \
	VMOVUPS    Y13, at+320(SP)   \
	VMOVUPS    Y14, at+384(SP)   \
	VMOVUPS    Y15, at+448(SP)

// BETWEEN counts the i-th cut of the group of a value.
#define BETWEEN(i) \
	VPERMPS (32*i+32)(R11), Y2, Y5 \
	VPERMPS (32*i+32)(R11), Y3, Y6 \
	VCMPPS  $0x12, Y0, Y5, Y5      \
	VCMPPS  $0x12, Y1, Y6, Y6      \
	VPSUBD  Y5, Y7, Y7             \
	VPSUBD  Y6, Y8, Y8

// func binRows(to *[binLanes]*uint8, rows *float32, stride, row int, group *binGroup)
TEXT ·binRows(SB), NOSPLIT, $512-40
	MOVQ to+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ stride+16(FP), R9
	MOVQ row+24(FP), R10
	MOVQ group+32(FP), BX
	TURN(0)
	TURN(32)
	LEAQ 0(SP), DX
	XORQ R8, R8 // lane

lane:
	MOVQ    (DI)(R8*8), AX
	TESTQ   AX, AX
	JZ      skip
	VMOVUPS (DX), Y0
	VMOVUPS 32(DX), Y1
	VPXOR   Y2, Y2, Y2
	VPXOR   Y3, Y3, Y3
	MOVQ    8(BX)(R8*8), SI
	MOVQ    72(BX)(R8*8), CX
	TESTQ   CX, CX
	JZ      store
	JLT     search

cut: // counts the cuts that are not above a value; none is above or below NaN
	VBROADCASTSS (SI), Y4
	VCMPPS       $0x12, Y0, Y4, Y5
	VCMPPS       $0x12, Y1, Y4, Y6
	VPSUBD       Y5, Y2, Y2
	VPSUBD       Y6, Y3, Y3
	ADDQ         $4, SI
	DECQ         CX
	JNZ          cut

store:
	VPACKSSDW    Y3, Y2, Y2
	VPERMQ       $0xd8, Y2, Y2
	VEXTRACTI128 $1, Y2, X3
	VPACKUSWB    X3, X2, X2
	VMOVDQU      X2, (AX)(R10*1)

skip:
	ADDQ $64, DX
	INCQ R8
	CMPQ R8, $8
	JLT  lane
	VZEROUPPER
	RET

search: // in a cutTable: counts the pivots first, then the other cuts of the group that they tell
	MOVQ SI, R11

pivot:
	VBROADCASTSS (SI), Y4
	VCMPPS       $0x12, Y0, Y4, Y5
	VCMPPS       $0x12, Y1, Y4, Y6
	VPSUBD       Y5, Y2, Y2
	VPSUBD       Y6, Y3, Y3
	ADDQ         $4, SI
	INCQ         CX
	JNZ          pivot
	VPSLLD       $3, Y2, Y7
	VPSLLD       $3, Y3, Y8
	BETWEEN(0)
	BETWEEN(1)
	BETWEEN(2)
	BETWEEN(3)
	BETWEEN(4)
	BETWEEN(5)
	BETWEEN(6)
	VMOVDQU Y7, Y2
	VMOVDQU Y8, Y3
	JMP     store
