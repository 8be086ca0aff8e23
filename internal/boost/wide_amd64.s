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
