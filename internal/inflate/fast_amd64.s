#include "textflag.h"

// The registers of fastBMI2:
//
//	AX  the next bits of the input      SI  next byte of the input   R8   last SI with a whole word
//	BL  number of valid bits            DI  next byte of the output  R9   DI from which the output is full
//	CX  entry                           R11 lengths                  R10  start of the output
//	DX, R13  temporary                  R12 distances

// REFILL fills the bits with at least 56 from a whole word.
#define REFILL \
	SHLXQ BX, (SI), DX; \
	ORQ   DX, AX; \
	MOVL  BX, DX; \
	SHRL  $3, DX; \
	ANDL  $7, DX; \
	ADDQ  $7, SI; \
	SUBQ  DX, SI; \
	ORL   $56, BX

// LENGTH looks up the entry of the next literal or length.
#define LENGTH \
	MOVL AX, DX; \
	ANDL $2047, DX; \
	MOVL (R11)(DX*4), CX

// TAKE removes the bits of an entry; DX is the bits before.
#define TAKE \
	MOVQ  AX, DX; \
	SHRXQ CX, AX, AX; \
	SUBL  CX, BX

// LITERAL writes a literal.
#define LITERAL \
	SHRXQ CX, AX, AX; \
	SUBL  CX, BX; \
	SHRL  $16, CX; \
	MOVB  CX, (DI); \
	INCQ  DI

// SECOND looks up the entry in the second-level table; last is its last index.
#define SECOND(table, last) \
	SHRXQ CX, AX, AX; \
	SUBL  CX, BX; \
	MOVL  CX, DX; \
	SHRL  $8, DX; \
	ANDL  $15, DX; \
	BZHIQ DX, AX, DX; \
	SHRL  $16, CX; \
	ADDL  CX, DX; \
	ANDL  last, DX; \
	MOVL  (table)(DX*4), CX

// EXTRA adds the extra bits of an entry in DX, whose bits begin with the code, to its value.
#define EXTRA \
	BZHIQ CX, DX, DX; \
	MOVL  CX, R13; \
	SHRL  $8, R13; \
	SHRXQ R13, DX, DX; \
	SHRL  $16, CX; \
	ADDL  CX, DX

// func fastBMI2(s *loopState) int
TEXT ·fastBMI2(SB), NOSPLIT, $0-16
	MOVQ s+0(FP), DX
	MOVQ 0(DX), CX
	MOVQ 8(DX), SI
	MOVQ 16(DX), R8
	MOVQ 24(DX), R10
	MOVQ 32(DX), DI
	MOVQ 40(DX), R9
	MOVQ 48(DX), R11
	MOVQ 56(DX), R12
	MOVQ 64(DX), AX
	MOVQ 72(DX), BX
	ADDQ CX, SI
	ADDQ CX, R8
	ADDQ R10, DI
	ADDQ R10, R9

loop:
	CMPQ SI, R8
	JHI  done
	CMPQ DI, R9
	JHS  done
	REFILL
	LENGTH
	TESTL $0x1000, CX
	JZ    length
	LITERAL
	LENGTH
	TESTL $0x1000, CX
	JZ    more
	LITERAL
	LENGTH
	TESTL $0x1000, CX
	JZ    more
	LITERAL
	JMP   loop

more:
	CMPQ SI, R8
	JHI  done
	REFILL

length:
	TESTL $0x2000, CX
	JZ    match
	SECOND(R11, $4095)
	TESTL $0x1000, CX
	JZ    match
	LITERAL
	JMP   loop

match:
	TAKE
	CMPL CX, $0x10000
	JLO  end // no symbol but a length has a value
	EXTRA
	MOVL DX, R15 // length
	MOVL AX, DX
	ANDL $511, DX
	MOVL (R12)(DX*4), CX
	TESTL $0x2000, CX
	JZ    distance
	SECOND(R12, $2047)

distance:
	TAKE
	EXTRA
	LEAQ -1(DX), CX
	MOVQ DI, R13
	SUBQ R10, R13
	CMPQ CX, R13
	JHS  corrupt // before the start, or 0, which no distance is
	MOVQ DI, R13
	SUBQ DX, R13 // source
	CMPQ DX, $16
	JLO  near
	MOVOU (R13), X0
	MOVOU X0, (DI)
	MOVOU 16(R13), X0
	MOVOU X0, 16(DI)
	CMPQ  R15, $32
	JHI   long
	ADDQ  R15, DI
	JMP   loop

long:
	ADDQ DI, R15 // end
copy16:
	ADDQ  $16, R13
	ADDQ  $16, DI
	MOVOU 16(R13), X0
	MOVOU X0, 16(DI)
	LEAQ  32(DI), CX
	CMPQ  CX, R15
	JLO   copy16
	MOVQ  R15, DI
	JMP   loop

near:
	ADDQ DI, R15 // end
	CMPQ DX, $8
	JLO  close
copy8:
	MOVQ (R13), CX
	MOVQ CX, (DI)
	ADDQ $8, R13
	ADDQ $8, DI
	CMPQ DI, R15
	JLO  copy8
	MOVQ R15, DI
	JMP  loop

close:
	CMPQ DX, $1
	JEQ  run
copy:
	MOVQ (R13), CX // its first DX bytes are valid
	MOVQ CX, (DI)
	ADDQ DX, R13
	ADDQ DX, DI
	CMPQ DI, R15
	JLO  copy
	MOVQ R15, DI
	JMP  loop

run:
	MOVBQZX (R13), CX
	MOVQ    $0x0101010101010101, DX
	IMULQ   DX, CX
fill:
	MOVQ CX, (DI)
	ADDQ $8, DI
	CMPQ DI, R15
	JLO  fill
	MOVQ R15, DI
	JMP  loop

end:
	MOVQ  $1, R13
	TESTL CX, CX
	JNZ   leave

corrupt:
	MOVQ $2, R13
	JMP  leave

done:
	XORL R13, R13

leave:
	MOVQ    s+0(FP), DX
	MOVBLZX BX, BX
	SUBQ    0(DX), SI
	SUBQ    R10, DI
	MOVQ    SI, 8(DX)
	MOVQ    DI, 32(DX)
	MOVQ    AX, 64(DX)
	MOVQ    BX, 72(DX)
	MOVQ    R13, ret+8(FP)
	RET
