#include "textflag.h"

// AVX2 does what addDeepGo and flushGo do for 32 rows or 16 classes at once.

// ANSWER answers a question, from the last one on: a yes is -1, taken from twice what the
// questions after it gave.
#define ANSWER(load, col, limit, value, answer, leaf) \
	load     (col)(CX*1), value; \
	VPCMPGTB limit, value, answer; \
	VPADDB   leaf, leaf, leaf; \
	VPSUBB   answer, leaf, leaf

// SPLIT reads the column and the threshold of a level.
#define SPLIT(l, col, limit) \
	MOVWLZX      (4*l)(SI), AX; \
	MOVQ         (DX)(AX*8), col; \
	ADDQ         from+24(FP), col; \
	VPBROADCASTB (4*l+2)(SI), limit

// func leavesVector(leaves *treeLeaves, levels *[together * 6]level, cols **uint8, from, rows int)
TEXT ·leavesVector(SB), NOSPLIT, $0-40
	MOVQ leaves+0(FP), DI
	MOVQ levels+8(FP), SI
	MOVQ cols+16(FP), DX
	MOVQ rows+32(FP), BX

tree:
	SPLIT(0, R8, Y8)
	SPLIT(1, R9, Y9)
	SPLIT(2, R10, Y10)
	SPLIT(3, R11, Y11)
	SPLIT(4, R12, Y12)
	SPLIT(5, R13, Y13)
	XORQ CX, CX

rows32:
	LEAQ 32(CX), AX
	CMPQ AX, BX
	JGT  rows8
	VPXOR Y0, Y0, Y0
	ANSWER(VMOVDQU, R13, Y13, Y1, Y2, Y0)
	ANSWER(VMOVDQU, R12, Y12, Y1, Y2, Y0)
	ANSWER(VMOVDQU, R11, Y11, Y1, Y2, Y0)
	ANSWER(VMOVDQU, R10, Y10, Y1, Y2, Y0)
	ANSWER(VMOVDQU, R9, Y9, Y1, Y2, Y0)
	ANSWER(VMOVDQU, R8, Y8, Y1, Y2, Y0)
	VPADDB  Y0, Y0, Y0
	VPADDB  Y0, Y0, Y0      // four times the leaf: the step in sumVector is 8, values have 32 bytes
	VMOVDQU Y0, (DI)(CX*1)
	MOVQ    AX, CX
	JMP     rows32

rows8:
	CMPQ CX, BX
	JGE  next
	VPXOR X0, X0, X0
	ANSWER(VMOVQ, R13, X13, X1, X2, X0)
	ANSWER(VMOVQ, R12, X12, X1, X2, X0)
	ANSWER(VMOVQ, R11, X11, X1, X2, X0)
	ANSWER(VMOVQ, R10, X10, X1, X2, X0)
	ANSWER(VMOVQ, R9, X9, X1, X2, X0)
	ANSWER(VMOVQ, R8, X8, X1, X2, X0)
	VPADDB X0, X0, X0
	VPADDB X0, X0, X0
	VMOVQ  X0, (DI)(CX*1)
	ADDQ   $8, CX
	JMP    rows8

next:
	ADDQ $256, DI
	ADDQ $24, SI
	MOVQ levels+8(FP), AX
	ADDQ $192, AX
	CMPQ SI, AX
	JNE  tree
	VZEROUPPER
	RET

// ADD adds the values of a tree, of which there are 64 of 32 bytes, for a row.
#define ADD(tree) \
	MOVBLZX (256*tree)(SI), AX; \
	VPADDW  (2048*tree)(DX)(AX*8), Y0, Y0

// func sumVector(sums *leafSteps, leaves *treeLeaves, values *[together << 6]leafSteps, rows int)
TEXT ·sumVector(SB), NOSPLIT, $0-32
	MOVQ sums+0(FP), DI
	MOVQ leaves+8(FP), SI
	MOVQ values+16(FP), DX
	MOVQ rows+24(FP), BX

row:
	TESTQ BX, BX
	JZ    summed
	VMOVDQU (DI), Y0
	ADD(0)
	ADD(1)
	ADD(2)
	ADD(3)
	ADD(4)
	ADD(5)
	ADD(6)
	ADD(7)
	VMOVDQU Y0, (DI)
	ADDQ $32, DI
	INCQ SI
	DECQ BX
	JMP  row

summed:
	VZEROUPPER
	RET

// func flushVector(dst *float32, sums *leafSteps, masks *[MaxClasses]int32, rows, classes, less int, scale float32)
TEXT ·flushVector(SB), NOSPLIT, $0-52
	MOVQ dst+0(FP), DI
	MOVQ sums+8(FP), SI
	MOVQ masks+16(FP), DX
	MOVQ rows+24(FP), BX
	MOVQ classes+32(FP), CX
	VPBROADCASTD less+40(FP), Y8
	VBROADCASTSS scale+48(FP), Y9
	VMOVDQU (DX), Y10
	VMOVDQU 32(DX), Y11
	VPXOR   Y12, Y12, Y12
	VMASKMOVPS (DI), Y10, Y2
	VMASKMOVPS 32(DI), Y11, Y3

flushRow: // reads the next row before it stores this row, whose address range overlaps it
	VPMOVZXWD  (SI), Y0
	VPMOVZXWD  16(SI), Y1
	VMOVDQU    Y12, (SI)
	VPSUBD     Y8, Y0, Y0
	VPSUBD     Y8, Y1, Y1
	VCVTDQ2PS  Y0, Y0
	VCVTDQ2PS  Y1, Y1
	VMULPS     Y9, Y0, Y0
	VMULPS     Y9, Y1, Y1
	VADDPS     Y0, Y2, Y0
	VADDPS     Y1, Y3, Y1
	DECQ BX
	JZ   lastRow
	VMASKMOVPS (DI)(CX*4), Y10, Y2
	VMASKMOVPS 32(DI)(CX*4), Y11, Y3

lastRow:
	VMASKMOVPS Y0, Y10, (DI)
	VMASKMOVPS Y1, Y11, 32(DI)
	LEAQ (DI)(CX*4), DI
	ADDQ $32, SI
	TESTQ BX, BX
	JNZ  flushRow
	VZEROUPPER
	RET
