<doc author="Tom Barrow" id="1" class="original" source="1">
<s>
Flour	flour	NN
<g/>
,	,	SENT
water	water	NN
and	and	CC
salt	salt	NN
are	be	VBP
all	all	NN
that	that	DT
a	a	DT
loaf	loaf	NN
needs	need	VBZ
<g/>
,	,	SENT
and	and	CC
time	time	NN
does	do	VBZ
the	the	DT
rest	rest	NN
<g/>
.	.	SENT
</s>
<s>
Wild	wild	JJ
yeast	yeast	NN
lives	live	VBZ
on	on	IN
the	the	DT
grain	grain	NN
and	and	CC
in	in	IN
the	the	DT
air	air	NN
of	of	IN
every	every	DT
kitchen	kitchen	NN
<g/>
.	.	SENT
</s>
<s>
If	if	IN
you	you	PRP
mix	mix	NN
flour	flour	NN
with	with	IN
water	water	NN
and	and	CC
leave	leave	NN
the	the	DT
bowl	bowl	NN
on	on	IN
a	a	DT
shelf	shelf	NN
<g/>
,	,	SENT
bubbles	bubble	NNS
appear	appear	NN
after	after	IN
two	two	CD
or	or	CC
three	three	CD
days	day	NNS
<g/>
.	.	SENT
</s>
<s>
You	you	PRP
throw	throw	VBP
half	half	CD
of	of	IN
it	it	PRP
away	away	RB
<g/>
,	,	SENT
add	add	VBP
fresh	fresh	JJ
flour	flour	NN
<g/>
,	,	SENT
and	and	CC
wait	wait	VBP
again	again	RB
<g/>
.	.	SENT
</s>
<s>
After	after	IN
a	a	DT
week	week	NN
the	the	DT
mixture	mixture	NN
smells	smell	VBZ
of	of	IN
apples	apple	NNS
and	and	CC
rises	rise	VBZ
within	within	NN
a	a	DT
few	few	NN
hours	hour	NNS
<g/>
.	.	SENT
</s>
<s>
This	this	DT
is	be	VBZ
the	the	DT
starter	starter	NN
<g/>
,	,	SENT
and	and	CC
some	some	DT
families	family	NNS
have	have	VBP
kept	keep	VBD
theirs	their	NNS
alive	alive	NN
for	for	IN
a	a	DT
hundred	hundred	CD
years	year	NNS
<g/>
.	.	SENT
</s>
<s>
A	a	DT
starter	starter	NN
wants	want	VBZ
to	to	TO
be	be	NN
fed	feed	VBN
like	like	IN
any	any	NN
other	other	NN
animal	animal	NN
in	in	IN
the	the	DT
house	house	NN
<g/>
.	.	SENT
</s>
<s>
If	if	IN
you	you	PRP
forget	forget	VBP
it	it	PRP
<g/>
,	,	SENT
a	a	DT
grey	grey	JJ
liquid	liquid	NN
gathers	gather	NNS
on	on	IN
top	top	NN
<g/>
,	,	SENT
but	but	CC
a	a	DT
spoonful	spoonful	JJ
from	from	IN
the	the	DT
bottom	bottom	NN
will	will	MD
usually	usually	RB
bring	bring	NN
it	it	PRP
back	back	RB
<g/>
.	.	SENT
</s>
</doc>
<doc author="Tom Barrow" id="2" class="original" source="2">
<s>
Kneading	knead	VBG
looks	look	VBZ
like	like	IN
strength	strength	NN
<g/>
,	,	SENT
but	but	CC
it	it	PRP
is	be	VBZ
mostly	mostly	RB
patience	patience	NN
<g/>
.	.	SENT
</s>
<s>
When	when	IN
flour	flour	NN
becomes	become	NNS
wet	wet	JJ
<g/>
,	,	SENT
two	two	CD
proteins	protein	NNS
in	in	IN
it	it	PRP
join	join	NN
and	and	CC
form	form	NN
long	long	JJ
elastic	elastic	JJ
threads	thread	NNS
<g/>
.	.	SENT
</s>
<s>
Pushing	push	VBG
and	and	CC
folding	fold	VBG
the	the	DT
dough	dough	NN
lays	lay	NNS
these	these	NN
threads	thread	NNS
side	side	NN
by	by	IN
side	side	NN
<g/>
,	,	SENT
until	until	IN
they	they	PRP
make	make	NN
a	a	DT
skin	skin	NN
that	that	DT
can	can	MD
hold	hold	NN
gas	gas	NN
<g/>
.	.	SENT
</s>
<s>
You	you	PRP
can	can	MD
feel	feel	NN
the	the	DT
moment	moment	NN
when	when	IN
it	it	PRP
happens	happen	NNS
<g/>
:	:	SENT
the	the	DT
dough	dough	NN
stops	stop	NNS
sticking	stick	VBG
to	to	TO
the	the	DT
table	table	NN
and	and	CC
becomes	become	NNS
smooth	smooth	NN
like	like	IN
an	an	DT
ear	ear	NN
<g/>
.	.	SENT
</s>
<s>
Bakers	baker	NNS
who	who	WP
have	have	VBP
no	no	DT
time	time	NN
use	use	NN
a	a	DT
machine	machine	NN
<g/>
,	,	SENT
and	and	CC
those	those	NN
who	who	WP
have	have	VBP
plenty	plenty	NN
of	of	IN
time	time	NN
do	do	VBP
not	not	RB
knead	knead	NN
at	at	IN
all	all	NN
<g/>
.	.	SENT
</s>
<s>
They	they	PRP
let	let	VBP
the	the	DT
wet	wet	JJ
dough	dough	NN
rest	rest	NN
over	over	IN
night	night	NN
<g/>
,	,	SENT
and	and	CC
the	the	DT
threads	thread	NNS
find	find	VBP
each	each	DT
other	other	NN
without	without	IN
help	help	VBP
<g/>
.	.	SENT
</s>
<s>
Salt	salt	NN
makes	make	NNS
the	the	DT
skin	skin	NN
stronger	stronger	NN
<g/>
,	,	SENT
but	but	CC
it	it	PRP
slows	slow	NNS
the	the	DT
yeast	yeast	NN
<g/>
,	,	SENT
so	so	NN
it	it	PRP
is	be	VBZ
added	add	VBD
a	a	DT
little	little	NN
later	later	RB
<g/>
.	.	SENT
</s>
</doc>
<doc author="Tom Barrow" id="3" class="original" source="3">
<s>
An	an	DT
oven	oven	NN
of	of	IN
brick	brick	NN
is	be	VBZ
heated	heat	VBD
with	with	IN
wood	wood	NN
for	for	IN
half	half	CD
a	a	DT
day	day	NN
<g/>
.	.	SENT
</s>
<s>
Then	then	RB
the	the	DT
ashes	ashe	NNS
are	be	VBP
raked	rak	VBD
out	out	RB
<g/>
,	,	SENT
the	the	DT
floor	floor	NN
is	be	VBZ
wiped	wip	VBD
with	with	IN
a	a	DT
wet	wet	JJ
cloth	cloth	NN
<g/>
,	,	SENT
and	and	CC
the	the	DT
baker	baker	NN
throws	throw	NNS
in	in	IN
a	a	DT
handful	handful	JJ
of	of	IN
flour	flour	NN
to	to	TO
see	see	NN
how	how	NN
fast	fast	RB
it	it	PRP
turns	turn	VBZ
brown	brown	NN
<g/>
.	.	SENT
</s>
<s>
The	the	DT
large	large	JJ
loaves	loave	NNS
go	go	NN
in	in	IN
first	first	NN
<g/>
,	,	SENT
because	because	IN
they	they	PRP
need	need	NN
the	the	DT
strongest	strong	JJS
heat	heat	NN
<g/>
.	.	SENT
</s>
<s>
Rolls	roll	NNS
follow	follow	VBP
<g/>
,	,	SENT
then	then	RB
cakes	cake	NNS
<g/>
,	,	SENT
and	and	CC
in	in	IN
the	the	DT
evening	even	VBG
<g/>
,	,	SENT
when	when	IN
the	the	DT
bricks	brick	NNS
are	be	VBP
merely	merely	RB
warm	warm	JJ
<g/>
,	,	SENT
trays	tray	NNS
of	of	IN
plums	plum	NNS
are	be	VBP
dried	dri	VBD
until	until	IN
morning	morn	VBG
<g/>
.	.	SENT
</s>
<s>
Nothing	nothing	PRP
of	of	IN
the	the	DT
fire	fire	NN
is	be	VBZ
wasted	wast	VBD
<g/>
.	.	SENT
</s>
<s>
Villages	village	NNS
that	that	DT
owned	own	VBD
such	such	NN
an	an	DT
oven	oven	NN
shared	shar	VBD
it	it	PRP
<g/>
,	,	SENT
and	and	CC
every	every	DT
household	household	NN
had	have	VBD
its	its	PP$
hour	hour	NN
and	and	CC
its	its	PP$
own	own	JJ
mark	mark	NN
that	that	DT
was	be	VBD
pressed	press	VBD
into	into	IN
the	the	DT
dough	dough	NN
<g/>
.	.	SENT
</s>
<s>
Arguments	argument	NNS
about	about	NN
whose	whose	WP
turn	turn	NN
it	it	PRP
was	be	VBD
fill	fill	NN
the	the	DT
books	book	NNS
of	of	IN
many	many	NN
a	a	DT
parish	parish	NN
<g/>
.	.	SENT
</s>
</doc>
<doc author="Tom Barrow" id="4" class="original" source="4">
<s>
The	the	DT
crust	crust	NN
is	be	VBZ
the	the	DT
part	part	NN
that	that	DT
people	people	NN
remember	remember	VBP
<g/>
.	.	SENT
</s>
<s>
It	it	PRP
needs	need	VBZ
steam	steam	NN
in	in	IN
the	the	DT
first	first	NN
ten	ten	CD
minutes	minute	NNS
<g/>
,	,	SENT
since	since	IN
a	a	DT
wet	wet	JJ
surface	surface	NN
stays	stay	NNS
soft	soft	JJ
and	and	CC
lets	let	NNS
the	the	DT
loaf	loaf	NN
grow	grow	NN
<g/>
.	.	SENT
</s>
<s>
Once	once	RB
the	the	DT
steam	steam	NN
is	be	VBZ
let	let	VBP
out	out	RB
<g/>
,	,	SENT
the	the	DT
surface	surface	NN
dries	drie	NNS
<g/>
,	,	SENT
and	and	CC
above	above	IN
a	a	DT
certain	certain	NN
heat	heat	NN
sugar	sugar	NN
and	and	CC
protein	protein	NN
turn	turn	NN
brown	brown	NN
together	together	RB
and	and	CC
give	give	NN
hundreds	hundred	NNS
of	of	IN
new	new	JJ
smells	smell	VBZ
<g/>
.	.	SENT
</s>
<s>
Bakers	baker	NNS
cut	cut	VBP
the	the	DT
loaf	loaf	NN
before	before	IN
it	it	PRP
goes	go	VBZ
in	in	IN
<g/>
,	,	SENT
so	so	NN
that	that	DT
it	it	PRP
opens	open	NNS
where	where	IN
they	they	PRP
want	want	NN
and	and	CC
not	not	RB
where	where	IN
it	it	PRP
likes	like	NNS
<g/>
.	.	SENT
</s>
<s>
A	a	DT
long	long	JJ
cut	cut	VBP
gives	give	NNS
an	an	DT
ear	ear	NN
<g/>
,	,	SENT
a	a	DT
cross	cross	NN
gives	give	NNS
four	four	CD
corners	corner	NNS
<g/>
,	,	SENT
and	and	CC
a	a	DT
baker	baker	NN
<g/>
's	's	NN
cut	cut	VBP
is	be	VBZ
as	as	IN
personal	personal	NN
as	as	IN
a	a	DT
signature	signature	NN
<g/>
.	.	SENT
</s>
<s>
When	when	IN
the	the	DT
bread	bread	NN
comes	come	NNS
out	out	RB
<g/>
,	,	SENT
it	it	PRP
sings	sing	NNS
<g/>
:	:	SENT
the	the	DT
crust	crust	NN
shrinks	shrink	NNS
faster	faster	NN
than	than	IN
the	the	DT
crumb	crumb	NN
and	and	CC
cracks	crack	NNS
with	with	IN
a	a	DT
faint	faint	NN
noise	noise	NN
<g/>
.	.	SENT
</s>
</doc>
<doc author="Tom Barrow" id="5" class="original" source="5">
<s>
Bread	bread	NN
grows	grow	NNS
old	old	JJ
even	even	NN
when	when	IN
it	it	PRP
does	do	VBZ
not	not	RB
dry	dry	JJ
<g/>
.	.	SENT
</s>
<s>
Inside	inside	IN
the	the	DT
crumb	crumb	NN
the	the	DT
starch	starch	NN
slowly	slowly	RB
returns	return	NNS
to	to	TO
the	the	DT
order	order	NN
it	it	PRP
had	have	VBD
in	in	IN
the	the	DT
grain	grain	NN
<g/>
,	,	SENT
and	and	CC
the	the	DT
slice	slice	NN
becomes	become	NNS
hard	hard	NN
although	although	IN
no	no	DT
water	water	NN
has	have	VBZ
left	leave	VBN
it	it	PRP
<g/>
.	.	SENT
</s>
<s>
Warmth	warmth	NN
undoes	undoe	NNS
this	this	DT
for	for	IN
a	a	DT
while	while	IN
<g/>
,	,	SENT
which	which	IN
is	be	VBZ
why	why	NN
toast	toast	NN
tastes	taste	NNS
fresh	fresh	JJ
<g/>
.	.	SENT
</s>
<s>
The	the	DT
cold	cold	NN
of	of	IN
a	a	DT
refrigerator	refrigerator	NN
makes	make	NNS
it	it	PRP
worse	worse	NN
<g/>
,	,	SENT
but	but	CC
deep	deep	JJ
frost	frost	NN
stops	stop	NNS
it	it	PRP
nearly	nearly	RB
completely	completely	RB
<g/>
.	.	SENT
</s>
<s>
Poor	poor	JJ
people	people	NN
always	always	RB
knew	know	VBD
what	what	WP
to	to	TO
do	do	VBP
with	with	IN
old	old	JJ
bread	bread	NN
<g/>
.	.	SENT
</s>
<s>
They	they	PRP
cooked	cook	VBD
it	it	PRP
in	in	IN
soup	soup	NN
<g/>
,	,	SENT
fried	fri	VBD
it	it	PRP
in	in	IN
fat	fat	NN
<g/>
,	,	SENT
soaked	soak	VBD
it	it	PRP
in	in	IN
milk	milk	NN
and	and	CC
baked	bake	VBN
it	it	PRP
with	with	IN
apples	apple	NNS
<g/>
,	,	SENT
or	or	CC
ground	grind	VBN
it	it	PRP
into	into	IN
crumbs	crumb	NNS
for	for	IN
dumplings	dumpling	NNS
<g/>
.	.	SENT
</s>
<s>
A	a	DT
kitchen	kitchen	NN
that	that	DT
throws	throw	NNS
bread	bread	NN
away	away	RB
has	have	VBZ
forgotten	forgotten	NN
about	about	NN
forty	forty	CD
dishes	dishe	NNS
<g/>
.	.	SENT
</s>
</doc>
<doc author="Tom Barrow" id="6" class="plagiarism" source="1">
<s>
I	i	NN
started	start	VBD
to	to	TO
bake	bake	NN
during	during	IN
a	a	DT
long	long	JJ
winter	winter	NN
when	when	IN
the	the	DT
shops	shop	NNS
were	be	VBD
far	far	RB
away	away	RB
<g/>
.	.	SENT
</s>
<s>
Flour	flour	NN
<g/>
,	,	SENT
wаtеr	wаtеr	NN
аnd	аnd	NN
sаlt	sаlt	NN
аrе	аrе	NN
аll	аll	NN
thаt	thаt	NN
а	а	NN
lоаf	lоаf	NN
nееds	nееd	NNS
<g/>
,	,	SENT
аnd	аnd	NN
timе	timе	NN
dоеs	dое	NNS
thе	thе	NN
rеst	rеst	NN
<g/>
.	.	SENT
</s>
<s>
Wild	wild	JJ
yеаst	yеаst	NN
lives	live	VBZ
on	on	IN
thе	thе	NN
grаin	grаin	NN
аnd	аnd	NN
in	in	IN
the	the	DT
аir	аir	NN
of	of	IN
еvеry	еvеry	NN
kitсhеn	kitсhеn	NN
<g/>
.	.	SENT
</s>
<s>
If	if	IN
yоu	yоu	NN
mix	mix	NN
flоur	flоur	NN
with	with	IN
wаtеr	wаtеr	NN
аnd	аnd	NN
lеаvе	lеаvе	NN
thе	thе	NN
bowl	bowl	NN
on	on	IN
а	а	NN
shelf	shelf	NN
<g/>
,	,	SENT
bubblеs	bubblе	NNS
арреаr	арреаr	NN
аftеr	аftеr	NN
twо	twо	NN
оr	оr	NN
thrее	thrее	NN
dаys	dаy	NNS
<g/>
.	.	SENT
</s>
<s>
Yоu	yоu	NN
thrоw	thrоw	NN
hаlf	hаlf	NN
оf	оf	NN
it	it	PRP
аwаy	аwаy	NN
<g/>
,	,	SENT
add	add	VBP
frеsh	frеsh	NN
flоur	flоur	NN
<g/>
,	,	SENT
and	and	CC
wаit	wаit	NN
аgаin	аgаin	NN
<g/>
.	.	SENT
</s>
<s>
Aftеr	aftеr	NN
а	а	NN
wееk	wееk	NN
the	the	DT
mixture	mixture	NN
smеlls	smеll	NNS
оf	оf	NN
аррlеs	аррlе	NNS
аnd	аnd	NN
risеs	risе	NNS
within	within	NN
а	а	NN
few	few	NN
hours	hour	NNS
<g/>
.	.	SENT
</s>
<s>
This	this	DT
is	be	VBZ
thе	thе	NN
stаrtеr	stаrtеr	NN
<g/>
,	,	SENT
аnd	аnd	NN
sоmе	sоmе	NN
fаmiliеs	fаmiliе	NNS
hаvе	hаvе	NN
kерt	kерt	NN
theirs	their	NNS
аlivе	аlivе	NN
for	for	IN
а	а	NN
hundrеd	hundrеd	NN
yеаrs	yеаr	NNS
<g/>
.	.	SENT
</s>
<s>
A	a	DT
stаrtеr	stаrtеr	NN
wants	want	VBZ
tо	tо	NN
bе	bе	NN
fеd	fеd	NN
like	like	IN
any	any	NN
other	other	NN
animal	animal	NN
in	in	IN
thе	thе	NN
hоusе	hоusе	NN
<g/>
.	.	SENT
</s>
<s>
The	the	DT
first	first	NN
results	result	NNS
could	could	MD
have	have	VBP
been	be	VBN
used	used	NN
to	to	TO
repair	repair	NN
a	a	DT
wall	wall	NN
<g/>
.	.	SENT
</s>
</doc>
<doc author="Tom Barrow" id="7" class="plagiarism" source="2">
<s>
My	my	PP$
teacher	teacher	NN
had	have	VBD
hands	hand	NNS
like	like	IN
shovels	shovel	NNS
and	and	CC
never	never	RB
looked	look	VBD
at	at	IN
a	a	DT
clock	clock	NN
<g/>
.	.	SENT
</s>
<s>
She	she	PRP
said	said	NN
that	that	DT
a	a	DT
dough	dough	NN
will	will	MD
tell	tell	NN
you	you	PRP
everything	everything	PRP
if	if	IN
you	you	PRP
stop	stop	NN
talking	talk	VBG
<g/>
.	.	SENT
</s>
<s>
Kneading	knead	VBG
looks	look	VBZ
like	like	IN
strength	strength	NN
<g/>
,	,	SENT
but	but	CC
it	it	PRP
is	be	VBZ
mostly	mostly	RB
patience	patience	NN
<g/>
.	.	SENT
</s>
<s>
it	it	PRP
join	join	NN
and	and	CC
form	form	NN
long	long	JJ
elastic	elastic	JJ
threads	thread	NNS
<g/>
,	,	SENT
two	two	CD
proteins	protein	NNS
in	in	IN
When	when	IN
flour	flour	NN
becomes	become	NNS
wet	wet	JJ
<g/>
.	.	SENT
</s>
<s>
the	the	DT
dough	dough	NN
lays	lay	NNS
Pushing	push	VBG
and	and	CC
folding	fold	VBG
that	that	DT
can	can	MD
hold	hold	NN
gas	gas	NN
they	they	PRP
make	make	NN
a	a	DT
skin	skin	NN
by	by	IN
side	side	NN
<g/>
,	,	SENT
until	until	IN
these	these	NN
threads	thread	NNS
side	side	NN
<g/>
.	.	SENT
</s>
<s>
ear	ear	NN
stops	stop	NNS
sticking	stick	VBG
to	to	TO
You	you	PRP
can	can	MD
feel	feel	NN
the	the	DT
table	table	NN
and	and	CC
becomes	become	NNS
happens	happen	NNS
<g/>
:	:	SENT
the	the	DT
dough	dough	NN
the	the	DT
moment	moment	NN
when	when	IN
it	it	PRP
smooth	smooth	NN
like	like	IN
an	an	DT
<g/>
.	.	SENT
</s>
<s>
knead	knead	NN
at	at	IN
all	all	NN
of	of	IN
time	time	NN
do	do	VBP
not	not	RB
Bakers	baker	NNS
who	who	WP
have	have	VBP
who	who	WP
have	have	VBP
plenty	plenty	NN
machine	machine	NN
<g/>
,	,	SENT
and	and	CC
those	those	NN
no	no	DT
time	time	NN
use	use	NN
a	a	DT
<g/>
.	.	SENT
</s>
<s>
I	i	NN
did	do	VBD
not	not	RB
believe	believe	NN
her	her	PRP
until	until	IN
I	i	NN
had	have	VBD
ruined	ruin	VBD
a	a	DT
dozen	dozen	CD
of	of	IN
them	them	PRP
<g/>
.	.	SENT
</s>
<s>
Now	now	RB
I	i	NN
tell	tell	NN
the	the	DT
same	same	JJ
thing	thing	NN
to	to	TO
my	my	PP$
own	own	JJ
children	children	NN
<g/>
,	,	SENT
and	and	CC
they	they	PRP
do	do	VBP
not	not	RB
believe	believe	NN
me	me	PRP
either	either	NN
<g/>
.	.	SENT
</s>
</doc>
<doc author="Tom Barrow" id="8" class="plagiarism" source="3">
<s>
Fuel	fuel	NN
used	used	NN
to	to	TO
be	be	NN
dearer	dearer	NN
than	than	IN
work	work	NN
<g/>
,	,	SENT
and	and	CC
that	that	DT
explains	explain	NNS
a	a	DT
great	great	NN
many	many	NN
customs	custom	NNS
<g/>
.	.	SENT
</s>
<s>
An	an	DT
oven	oven	NN
of	of	IN
brick	brick	NN
rather	rather	NN
is	be	VBZ
heated	heat	VBD
with	with	IN
wood	wood	NN
for	for	IN
of	of	IN
course	course	NN
half	half	CD
a	a	DT
day	day	NN
<g/>
.	.	SENT
</s>
<s>
Then	then	RB
the	the	DT
ashes	ashe	NNS
are	be	VBP
as	as	IN
we	we	PRP
know	know	NN
raked	rak	VBD
out	out	RB
<g/>
,	,	SENT
the	the	DT
floor	floor	NN
more	more	NN
or	or	CC
less	les	NNS
is	be	VBZ
wiped	wip	VBD
with	with	IN
a	a	DT
really	really	RB
wet	wet	JJ
cloth	cloth	NN
<g/>
,	,	SENT
and	and	CC
the	the	DT
baker	baker	NN
in	in	IN
fact	fact	NN
throws	throw	NNS
in	in	IN
a	a	DT
handful	handful	JJ
of	of	IN
rather	rather	NN
flour	flour	NN
to	to	TO
see	see	NN
how	how	NN
fast	fast	RB
it	it	PRP
rather	rather	NN
turns	turn	VBZ
brown	brown	NN
<g/>
.	.	SENT
</s>
<s>
The	the	DT
large	large	JJ
loaves	loave	NNS
go	go	NN
in	in	IN
really	really	RB
first	first	NN
<g/>
,	,	SENT
because	because	IN
they	they	PRP
need	need	NN
at	at	IN
least	least	NN
the	the	DT
strongest	strong	JJS
heat	heat	NN
<g/>
.	.	SENT
</s>
<s>
Rolls	roll	NNS
follow	follow	VBP
<g/>
,	,	SENT
indeed	inde	VBD
then	then	RB
cakes	cake	NNS
<g/>
,	,	SENT
and	and	CC
in	in	IN
the	the	DT
quite	quite	NN
evening	even	VBG
<g/>
,	,	SENT
when	when	IN
the	the	DT
bricks	brick	NNS
are	be	VBP
merely	merely	RB
in	in	IN
fact	fact	NN
warm	warm	JJ
<g/>
,	,	SENT
trays	tray	NNS
of	of	IN
at	at	IN
least	least	NN
plums	plum	NNS
are	be	VBP
dried	dri	VBD
until	until	IN
morning	morn	VBG
<g/>
.	.	SENT
</s>
<s>
Nothing	nothing	PRP
of	of	IN
the	the	DT
fire	fire	NN
is	be	VBZ
wasted	wast	VBD
<g/>
.	.	SENT
</s>
<s>
Villages	village	NNS
that	that	DT
owned	own	VBD
rather	rather	NN
such	such	NN
an	an	DT
oven	oven	NN
shared	shar	VBD
it	it	PRP
<g/>
,	,	SENT
at	at	IN
least	least	NN
and	and	CC
every	every	DT
household	household	NN
had	have	VBD
its	its	PP$
of	of	IN
course	course	NN
hour	hour	NN
and	and	CC
its	its	PP$
own	own	JJ
really	really	RB
mark	mark	NN
that	that	DT
was	be	VBD
pressed	press	VBD
into	into	IN
the	the	DT
dough	dough	NN
<g/>
.	.	SENT
</s>
<s>
In	in	IN
our	our	PP$
valley	valley	NN
the	the	DT
last	last	JJ
of	of	IN
these	these	NN
buildings	building	NNS
became	became	NN
a	a	DT
garage	garage	NN
<g/>
.	.	SENT
</s>
<s>
Its	its	PP$
chimney	chimney	NN
still	still	RB
stands	stand	NNS
<g/>
,	,	SENT
and	and	CC
a	a	DT
pair	pair	NN
of	of	IN
storks	stork	NNS
lives	live	VBZ
on	on	IN
it	it	PRP
<g/>
.	.	SENT
</s>
</doc>
<doc author="Tom Barrow" id="9" class="plagiarism" source="4">
<s>
Every	every	DT
child	child	NN
in	in	IN
our	our	PP$
street	street	NN
knew	know	VBD
on	on	IN
which	which	IN
day	day	NN
the	the	DT
baker	baker	NN
had	have	VBD
a	a	DT
new	new	JJ
boy	boy	NN
at	at	IN
the	the	DT
oven	oven	NN
<g/>
.	.	SENT
</s>
<s>
The	the	DT
shell	shell	NN
is	be	VBZ
the	the	DT
piece	piece	NN
that	that	DT
folk	folk	NN
recall	recall	NN
<g/>
.	.	SENT
</s>
<s>
It	it	PRP
requires	require	NNS
vapour	vapour	NN
in	in	IN
the	the	DT
initial	initial	NN
ten	ten	CD
moments	moment	NNS
<g/>
,	,	SENT
since	since	IN
a	a	DT
moist	moist	NN
outside	outside	NN
stays	stay	NNS
tender	tender	NN
and	and	CC
allows	allow	NNS
the	the	DT
bread	bread	NN
expand	expand	NN
<g/>
.	.	SENT
</s>
<s>
Once	once	RB
the	the	DT
vapour	vapour	NN
is	be	VBZ
let	let	VBP
out	out	RB
<g/>
,	,	SENT
the	the	DT
outside	outside	NN
hardens	harden	NNS
<g/>
,	,	SENT
and	and	CC
above	above	IN
a	a	DT
given	given	NN
warmth	warmth	NN
sugar	sugar	NN
and	and	CC
protein	protein	NN
turn	turn	NN
brown	brown	NN
jointly	jointly	RB
and	and	CC
give	give	NN
scores	score	NNS
of	of	IN
fresh	fresh	JJ
scents	scent	NNS
<g/>
.	.	SENT
</s>
<s>
Bakers	baker	NNS
sliced	slic	VBD
the	the	DT
bread	bread	NN
before	before	IN
it	it	PRP
goes	go	VBZ
in	in	IN
<g/>
,	,	SENT
so	so	NN
that	that	DT
it	it	PRP
opens	open	NNS
where	where	IN
they	they	PRP
want	want	NN
and	and	CC
not	not	RB
where	where	IN
it	it	PRP
likes	like	NNS
<g/>
.	.	SENT
</s>
<s>
A	a	DT
lengthy	lengthy	NN
sliced	slic	VBD
gives	give	NNS
an	an	DT
ear	ear	NN
<g/>
,	,	SENT
a	a	DT
cross	cross	NN
gives	give	NNS
four	four	CD
edges	edge	NNS
<g/>
,	,	SENT
and	and	CC
a	a	DT
baker	baker	NN
<g/>
's	's	NN
sliced	slic	VBD
is	be	VBZ
as	as	IN
private	private	NN
as	as	IN
a	a	DT
autograph	autograph	NN
<g/>
.	.	SENT
</s>
<s>
One	one	PRP
could	could	MD
see	see	NN
it	it	PRP
from	from	IN
the	the	DT
colour	colour	NN
alone	alone	NN
<g/>
.	.	SENT
</s>
</doc>
<doc author="Tom Barrow" id="10" class="plagiarism" source="5">
<s>
A	a	DT
loaf	loaf	NN
becomes	become	NNS
stale	stale	NN
without	without	IN
losing	los	VBG
water	water	NN
<g/>
.	.	SENT
</s>
<s>
What	what	WP
happens	happen	NNS
is	be	VBZ
that	that	DT
the	the	DT
starch	starch	NN
goes	go	VBZ
back	back	RB
into	into	IN
the	the	DT
order	order	NN
of	of	IN
the	the	DT
grain	grain	NN
<g/>
,	,	SENT
so	so	NN
that	that	DT
the	the	DT
crumb	crumb	NN
turns	turn	VBZ
firm	firm	NN
<g/>
.	.	SENT
</s>
<s>
Heat	heat	NN
reverses	reverse	NNS
the	the	DT
change	change	NN
for	for	IN
some	some	DT
time	time	NN
<g/>
,	,	SENT
and	and	CC
that	that	DT
is	be	VBZ
the	the	DT
secret	secret	NN
of	of	IN
toast	toast	NN
<g/>
.	.	SENT
</s>
<s>
A	a	DT
fridge	fridge	NN
speeds	speed	NNS
it	it	PRP
up	up	RB
<g/>
,	,	SENT
while	while	IN
the	the	DT
freezer	freezer	NN
holds	hold	NNS
it	it	PRP
almost	almost	RB
entirely	entirely	RB
<g/>
.	.	SENT
</s>
<s>
In	in	IN
poor	poor	JJ
households	household	NNS
nothing	nothing	PRP
was	be	VBD
lost	lose	VBD
<g/>
:	:	SENT
stale	stale	NN
slices	slice	NNS
went	go	VBD
into	into	IN
soups	soup	NNS
and	and	CC
dumplings	dumpling	NNS
<g/>
,	,	SENT
were	be	VBD
fried	fri	VBD
<g/>
,	,	SENT
or	or	CC
were	be	VBD
baked	bake	VBN
with	with	IN
milk	milk	NN
and	and	CC
apples	apple	NNS
<g/>
.	.	SENT
</s>
<s>
I	i	NN
have	have	VBP
counted	count	VBD
the	the	DT
recipes	recipe	NNS
in	in	IN
my	my	PP$
aunt	aunt	NN
<g/>
's	's	NN
notebook	notebook	NN
<g/>
,	,	SENT
and	and	CC
about	about	NN
every	every	DT
third	third	NN
one	one	PRP
begins	begin	NNS
with	with	IN
bread	bread	NN
that	that	DT
nobody	nobody	PRP
wanted	want	VBD
to	to	TO
eat	eat	NN
any	any	NN
more	more	NN
<g/>
.	.	SENT
</s>
<s>
It	it	PRP
would	would	MD
be	be	NN
worth	worth	NN
the	the	DT
trouble	trouble	NN
to	to	TO
cook	cook	NN
through	through	IN
all	all	NN
of	of	IN
them	them	PRP
once	once	RB
<g/>
,	,	SENT
perhaps	perhaps	RB
in	in	IN
the	the	DT
weeks	week	NNS
before	before	IN
payday	payday	NN
<g/>
.	.	SENT
</s>
</doc>
<doc author="Nora Field" id="1" class="original" source="1">
<s>
Before	before	IN
there	there	RB
were	be	VBD
lighthouses	lighthouse	NNS
<g/>
,	,	SENT
people	people	NN
on	on	IN
shore	shore	NN
lit	light	VBD
fires	fire	NNS
on	on	IN
hills	hill	NNS
to	to	TO
guide	guide	NN
their	their	PP$
boats	boat	NNS
home	home	NN
<g/>
.	.	SENT
</s>
<s>
A	a	DT
fire	fire	NN
of	of	IN
wood	wood	NN
burns	burn	NNS
fast	fast	RB
<g/>
,	,	SENT
and	and	CC
on	on	IN
a	a	DT
wet	wet	JJ
night	night	NN
it	it	PRP
hardly	hardly	RB
burns	burn	NNS
at	at	IN
all	all	NN
<g/>
.	.	SENT
</s>
<s>
Later	later	RB
the	the	DT
fires	fire	NNS
were	be	VBD
set	set	VBD
in	in	IN
iron	iron	NN
baskets	basket	NNS
<g/>
,	,	SENT
and	and	CC
after	after	IN
that	that	DT
in	in	IN
small	small	JJ
towers	tower	NNS
with	with	IN
glass	glass	NN
around	around	IN
them	them	PRP
<g/>
.	.	SENT
</s>
<s>
Glass	glass	NN
kept	keep	VBD
the	the	DT
rain	rain	NN
out	out	RB
<g/>
,	,	SENT
but	but	CC
it	it	PRP
soon	soon	RB
turned	turn	VBD
black	black	JJ
with	with	IN
smoke	smoke	NN
<g/>
,	,	SENT
and	and	CC
a	a	DT
boy	boy	NN
had	have	VBD
to	to	TO
climb	climb	NN
up	up	RB
every	every	DT
hour	hour	NN
and	and	CC
wipe	wipe	NN
it	it	PRP
<g/>
.	.	SENT
</s>
<s>
Coal	coal	NN
gave	gave	NN
a	a	DT
brighter	brighter	JJ
flame	flame	NN
than	than	IN
wood	wood	NN
<g/>
,	,	SENT
yet	yet	CC
it	it	PRP
cost	cost	VBD
more	more	NN
and	and	CC
had	have	VBD
to	to	TO
be	be	NN
carried	carry	VBN
up	up	RB
a	a	DT
narrow	narrow	JJ
stair	stair	NN
on	on	IN
somebody	somebody	PRP
<g/>
's	's	NN
back	back	RB
<g/>
.	.	SENT
</s>
<s>
Many	many	NN
towns	town	NNS
paid	pay	VBD
for	for	IN
their	their	PP$
light	light	JJ
with	with	IN
a	a	DT
tax	tax	NN
on	on	IN
every	every	DT
ship	ship	NN
that	that	DT
came	come	VBD
into	into	IN
the	the	DT
harbour	harbour	NN
<g/>
.	.	SENT
</s>
<s>
Captains	captain	NNS
complained	complain	VBD
about	about	NN
the	the	DT
tax	tax	NN
and	and	CC
then	then	RB
complained	complain	VBD
again	again	RB
when	when	IN
the	the	DT
light	light	JJ
was	be	VBD
out	out	RB
<g/>
.	.	SENT
</s>
</doc>
<doc author="Nora Field" id="2" class="original" source="2">
<s>
The	the	DT
lens	len	NNS
changed	chang	VBD
everything	everything	PRP
<g/>
.	.	SENT
</s>
<s>
A	a	DT
young	young	JJ
engineer	engineer	NN
saw	see	VBD
that	that	DT
a	a	DT
large	large	JJ
curved	curved	JJ
glass	glass	NN
could	could	MD
be	be	NN
cut	cut	VBP
into	into	IN
rings	ring	NNS
<g/>
,	,	SENT
and	and	CC
that	that	DT
each	each	DT
ring	ring	NN
would	would	MD
still	still	RB
bend	bend	VBP
the	the	DT
light	light	JJ
in	in	IN
the	the	DT
same	same	JJ
direction	direction	NN
<g/>
.	.	SENT
</s>
<s>
Such	such	NN
a	a	DT
lens	len	NNS
was	be	VBD
thin	thin	JJ
enough	enough	NN
to	to	TO
be	be	NN
built	build	VBN
and	and	CC
light	light	JJ
enough	enough	NN
to	to	TO
be	be	NN
turned	turn	VBD
<g/>
.	.	SENT
</s>
<s>
One	one	PRP
small	small	JJ
lamp	lamp	NN
behind	behind	IN
it	it	PRP
could	could	MD
now	now	RB
be	be	NN
seen	see	VBN
twenty	twenty	CD
miles	mile	NNS
away	away	RB
<g/>
.	.	SENT
</s>
<s>
The	the	DT
rings	ring	NNS
were	be	VBD
ground	grind	VBN
by	by	IN
hand	hand	NN
<g/>
,	,	SENT
washed	wash	VBD
<g/>
,	,	SENT
measured	measur	VBD
and	and	CC
ground	grind	VBN
again	again	RB
<g/>
,	,	SENT
and	and	CC
a	a	DT
single	single	NN
lens	len	NNS
took	take	VBD
a	a	DT
workshop	workshop	NN
of	of	IN
ten	ten	CD
men	men	NN
a	a	DT
whole	whole	JJ
year	year	NN
<g/>
.	.	SENT
</s>
<s>
It	it	PRP
floated	float	VBD
in	in	IN
a	a	DT
bath	bath	NN
of	of	IN
mercury	mercury	NN
<g/>
,	,	SENT
so	so	NN
that	that	DT
a	a	DT
child	child	NN
could	could	MD
push	push	VBP
three	three	CD
tons	ton	NNS
of	of	IN
glass	glass	NN
with	with	IN
one	one	PRP
finger	finger	NN
<g/>
.	.	SENT
</s>
<s>
A	a	DT
clock	clock	NN
with	with	IN
a	a	DT
falling	fall	VBG
weight	weight	NN
turned	turn	VBD
it	it	PRP
through	through	IN
the	the	DT
night	night	NN
<g/>
,	,	SENT
and	and	CC
the	the	DT
keeper	keeper	NN
had	have	VBD
to	to	TO
wind	wind	NN
the	the	DT
clock	clock	NN
before	before	IN
midnight	midnight	NN
<g/>
.	.	SENT
</s>
</doc>
<doc author="Nora Field" id="3" class="original" source="3">
<s>
A	a	DT
keeper	keeper	NN
<g/>
's	's	NN
day	day	NN
began	begin	VBD
in	in	IN
the	the	DT
evening	even	VBG
<g/>
.	.	SENT
</s>
<s>
He	he	PRP
trimmed	trimm	VBD
the	the	DT
wick	wick	NN
<g/>
,	,	SENT
filled	fill	VBD
the	the	DT
lamp	lamp	NN
with	with	IN
oil	oil	NN
and	and	CC
pulled	pull	VBD
back	back	RB
the	the	DT
curtains	curtain	NNS
that	that	DT
protected	protect	VBD
the	the	DT
lens	len	NNS
from	from	IN
the	the	DT
sun	sun	NN
<g/>
.	.	SENT
</s>
<s>
During	during	IN
the	the	DT
night	night	NN
two	two	CD
men	men	NN
took	take	VBD
turns	turn	VBZ
<g/>
,	,	SENT
four	four	CD
hours	hour	NNS
each	each	DT
<g/>
,	,	SENT
because	because	IN
nobody	nobody	PRP
can	can	MD
watch	watch	NN
a	a	DT
flame	flame	NN
for	for	IN
longer	longer	NN
without	without	IN
falling	fall	VBG
asleep	asleep	NN
<g/>
.	.	SENT
</s>
<s>
In	in	IN
the	the	DT
morning	morn	VBG
they	they	PRP
polished	polish	VBD
the	the	DT
brass	brass	JJ
and	and	CC
wrote	write	VBD
the	the	DT
weather	weather	NN
into	into	IN
a	a	DT
thick	thick	JJ
book	book	NN
<g/>
.	.	SENT
</s>
<s>
Food	food	NN
came	come	VBD
by	by	IN
boat	boat	NN
once	once	RB
a	a	DT
month	month	NN
<g/>
,	,	SENT
if	if	IN
the	the	DT
sea	sea	NN
allowed	allow	VBD
it	it	PRP
<g/>
.	.	SENT
</s>
<s>
When	when	IN
storms	storm	NNS
went	go	VBD
on	on	IN
for	for	IN
weeks	week	NNS
<g/>
,	,	SENT
they	they	PRP
ate	eat	VBD
what	what	WP
the	the	DT
birds	bird	NNS
left	leave	VBN
on	on	IN
the	the	DT
gallery	gallery	NN
<g/>
.	.	SENT
</s>
<s>
Families	family	NNS
lived	liv	VBD
at	at	IN
the	the	DT
larger	larger	NN
stations	station	NNS
<g/>
,	,	SENT
and	and	CC
the	the	DT
children	children	NN
learned	learn	VBD
to	to	TO
read	read	VBD
from	from	IN
the	the	DT
almanac	almanac	NN
and	and	CC
from	from	IN
old	old	JJ
newspapers	newspaper	NNS
that	that	DT
had	have	VBD
been	be	VBN
wrapped	wrap	VBN
around	around	IN
fish	fish	NN
<g/>
.	.	SENT
</s>
</doc>
<doc author="Nora Field" id="4" class="original" source="4">
<s>
Building	build	VBG
a	a	DT
tower	tower	NN
on	on	IN
a	a	DT
rock	rock	NN
that	that	DT
the	the	DT
tide	tide	NN
covers	cover	NNS
twice	twice	RB
a	a	DT
day	day	NN
is	be	VBZ
slow	slow	NN
work	work	NN
<g/>
.	.	SENT
</s>
<s>
In	in	IN
the	the	DT
first	first	NN
summer	summer	NN
the	the	DT
masons	mason	NNS
had	have	VBD
only	only	RB
ninety	ninety	CD
hours	hour	NNS
on	on	IN
dry	dry	JJ
stone	stone	NN
<g/>
,	,	SENT
and	and	CC
they	they	PRP
spent	spent	NN
them	them	PRP
cutting	cutt	VBG
holes	hole	NNS
for	for	IN
iron	iron	NN
bars	bar	NNS
<g/>
.	.	SENT
</s>
<s>
Every	every	DT
block	block	NN
was	be	VBD
shaped	shape	VBN
on	on	IN
land	land	NN
so	so	NN
that	that	DT
it	it	PRP
locked	lock	VBD
into	into	IN
its	its	PP$
neighbours	neighbour	NNS
like	like	IN
a	a	DT
piece	piece	NN
of	of	IN
a	a	DT
puzzle	puzzle	NN
<g/>
.	.	SENT
</s>
<s>
The	the	DT
blocks	block	NNS
were	be	VBD
numbered	number	VBN
<g/>
,	,	SENT
shipped	ship	VBN
out	out	RB
in	in	IN
calm	calm	JJ
weather	weather	NN
and	and	CC
lowered	lower	VBD
by	by	IN
a	a	DT
crane	crane	NN
that	that	DT
the	the	DT
waves	wave	NNS
tried	try	VBD
to	to	TO
tear	tear	NN
away	away	RB
<g/>
.	.	SENT
</s>
<s>
Twice	twice	RB
they	they	PRP
lost	lose	VBD
the	the	DT
crane	crane	NN
<g/>
.	.	SENT
</s>
<s>
The	the	DT
base	base	NN
was	be	VBD
made	make	VBD
wide	wide	JJ
and	and	CC
heavy	heavy	JJ
<g/>
,	,	SENT
and	and	CC
the	the	DT
upper	upper	JJ
part	part	NN
curved	curved	JJ
inward	inward	NN
like	like	IN
the	the	DT
trunk	trunk	NN
of	of	IN
an	an	DT
oak	oak	NN
<g/>
,	,	SENT
because	because	IN
a	a	DT
wave	wave	NN
that	that	DT
climbs	climb	NNS
a	a	DT
curve	curve	NN
loses	lose	NNS
its	its	PP$
strength	strength	NN
before	before	IN
it	it	PRP
reaches	reache	NNS
the	the	DT
top	top	NN
<g/>
.	.	SENT
</s>
</doc>
<doc author="Nora Field" id="5" class="original" source="5">
<s>
Sound	sound	NN
had	have	VBD
to	to	TO
help	help	VBP
where	where	IN
light	light	JJ
could	could	MD
not	not	RB
<g/>
.	.	SENT
</s>
<s>
In	in	IN
fog	fog	NN
the	the	DT
brightest	bright	JJS
lamp	lamp	NN
is	be	VBZ
only	only	RB
a	a	DT
pale	pale	JJ
spot	spot	NN
<g/>
,	,	SENT
and	and	CC
a	a	DT
ship	ship	NN
may	may	MD
strike	strike	NN
the	the	DT
rock	rock	NN
before	before	IN
its	its	PP$
crew	crew	NN
sees	see	NNS
it	it	PRP
<g/>
.	.	SENT
</s>
<s>
At	at	IN
first	first	NN
the	the	DT
stations	station	NNS
fired	fire	VBD
a	a	DT
cannon	cannon	NN
every	every	DT
quarter	quarter	NN
of	of	IN
an	an	DT
hour	hour	NN
<g/>
,	,	SENT
which	which	IN
was	be	VBD
dangerous	dangerous	JJ
and	and	CC
used	used	NN
up	up	RB
a	a	DT
great	great	NN
deal	deal	NN
of	of	IN
powder	powder	NN
<g/>
.	.	SENT
</s>
<s>
Bells	bell	NNS
were	be	VBD
tried	try	VBD
next	next	NN
<g/>
,	,	SENT
then	then	RB
whistles	whistle	NNS
driven	driven	NN
by	by	IN
steam	steam	NN
<g/>
,	,	SENT
and	and	CC
at	at	IN
last	last	JJ
a	a	DT
horn	horn	NN
that	that	DT
worked	work	VBD
with	with	IN
compressed	compress	VBD
air	air	NN
<g/>
.	.	SENT
</s>
<s>
The	the	DT
horn	horn	NN
could	could	MD
be	be	NN
heard	heard	NN
for	for	IN
five	five	CD
miles	mile	NNS
<g/>
,	,	SENT
but	but	CC
fog	fog	NN
plays	play	NNS
tricks	trick	NNS
with	with	IN
sound	sound	NN
<g/>
.	.	SENT
</s>
<s>
Sometimes	sometime	NNS
a	a	DT
ship	ship	NN
close	close	NN
by	by	IN
heard	heard	NN
nothing	nothing	PRP
while	while	IN
a	a	DT
farmer	farmer	NN
far	far	RB
inland	inland	NN
could	could	MD
not	not	RB
sleep	sleep	NN
<g/>
.	.	SENT
</s>
<s>
Every	every	DT
station	station	NN
therefore	therefore	RB
had	have	VBD
a	a	DT
rhythm	rhythm	NN
of	of	IN
its	its	PP$
own	own	JJ
<g/>
,	,	SENT
so	so	NN
that	that	DT
a	a	DT
captain	captain	NN
who	who	WP
heard	heard	NN
two	two	CD
blasts	blast	NNS
and	and	CC
a	a	DT
pause	pause	NN
knew	know	VBD
where	where	IN
he	he	PRP
was	be	VBD
<g/>
.	.	SENT
</s>
</doc>
<doc author="Nora Field" id="6" class="plagiarism" source="1">
<s>
In	in	IN
this	this	DT
essay	essay	NN
I	i	NN
look	look	NN
at	at	IN
the	the	DT
oldest	old	JJS
way	way	NN
of	of	IN
marking	mark	VBG
a	a	DT
dangerous	dangerous	JJ
coast	coast	NN
<g/>
.	.	SENT
</s>
<s>
My	my	PP$
grandmother	grandmother	NN
still	still	RB
remembered	remember	VBD
a	a	DT
tower	tower	NN
of	of	IN
that	that	DT
kind	kind	NN
near	near	IN
her	her	PRP
village	village	NN
<g/>
.	.	SENT
</s>
<s>
Before	before	IN
there	there	RB
were	be	VBD
lighthouses	lighthouse	NNS
<g/>
,	,	SENT
people	people	NN
on	on	IN
shore	shore	NN
lit	light	VBD
fires	fire	NNS
on	on	IN
hills	hill	NNS
to	to	TO
guide	guide	NN
their	their	PP$
boats	boat	NNS
home	home	NN
<g/>
.	.	SENT
</s>
<s>
A	a	DT
fire	fire	NN
of	of	IN
wood	wood	NN
burns	burn	NNS
fast	fast	RB
<g/>
,	,	SENT
and	and	CC
on	on	IN
a	a	DT
wet	wet	JJ
night	night	NN
it	it	PRP
hardly	hardly	RB
burns	burn	NNS
at	at	IN
all	all	NN
<g/>
.	.	SENT
</s>
<s>
Later	later	RB
the	the	DT
fires	fire	NNS
were	be	VBD
set	set	VBD
in	in	IN
iron	iron	NN
baskets	basket	NNS
<g/>
,	,	SENT
and	and	CC
after	after	IN
that	that	DT
in	in	IN
small	small	JJ
towers	tower	NNS
with	with	IN
glass	glass	NN
around	around	IN
them	them	PRP
<g/>
.	.	SENT
</s>
<s>
Glass	glass	NN
kept	keep	VBD
the	the	DT
rain	rain	NN
out	out	RB
<g/>
,	,	SENT
but	but	CC
it	it	PRP
soon	soon	RB
turned	turn	VBD
black	black	JJ
with	with	IN
smoke	smoke	NN
<g/>
,	,	SENT
and	and	CC
a	a	DT
boy	boy	NN
had	have	VBD
to	to	TO
climb	climb	NN
up	up	RB
every	every	DT
hour	hour	NN
and	and	CC
wipe	wipe	NN
it	it	PRP
<g/>
.	.	SENT
</s>
<s>
Coal	coal	NN
gave	gave	NN
a	a	DT
brighter	brighter	JJ
flame	flame	NN
than	than	IN
wood	wood	NN
<g/>
,	,	SENT
yet	yet	CC
it	it	PRP
cost	cost	VBD
more	more	NN
and	and	CC
had	have	VBD
to	to	TO
be	be	NN
carried	carry	VBN
up	up	RB
a	a	DT
narrow	narrow	JJ
stair	stair	NN
on	on	IN
somebody	somebody	PRP
<g/>
's	's	NN
back	back	RB
<g/>
.	.	SENT
</s>
<s>
It	it	PRP
had	have	VBD
lost	lose	VBD
its	its	PP$
roof	roof	NN
long	long	JJ
before	before	IN
she	she	PRP
was	be	VBD
born	born	NN
<g/>
,	,	SENT
and	and	CC
goats	goat	NNS
slept	slept	NN
in	in	IN
it	it	PRP
<g/>
.	.	SENT
</s>
<s>
What	what	WP
stays	stay	NNS
with	with	IN
me	me	PRP
is	be	VBZ
how	how	NN
much	much	NN
work	work	NN
stood	stand	VBD
behind	behind	IN
such	such	NN
a	a	DT
small	small	JJ
spot	spot	NN
of	of	IN
brightness	brightness	NN
<g/>
.	.	SENT
</s>
</doc>
<doc author="Nora Field" id="7" class="plagiarism" source="2">
<s>
Some	some	DT
inventions	invention	NNS
are	be	VBP
so	so	NN
simple	simple	NN
that	that	DT
one	one	PRP
wonders	wonder	NNS
why	why	NN
nobody	nobody	PRP
had	have	VBD
them	them	PRP
earlier	earlier	NN
<g/>
.	.	SENT
</s>
<s>
The	the	DT
glass	glass	NN
altered	alter	VBD
all	all	NN
<g/>
.	.	SENT
</s>
<s>
A	a	DT
youthful	youthful	JJ
engineer	engineer	NN
noticed	notic	VBD
that	that	DT
a	a	DT
big	big	NN
bent	bent	NN
glass	glass	NN
could	could	MD
be	be	NN
sliced	slic	VBD
into	into	IN
circles	circle	NNS
<g/>
,	,	SENT
and	and	CC
that	that	DT
each	each	DT
ring	ring	NN
would	would	MD
nevertheless	nevertheless	NN
turn	turn	NN
the	the	DT
light	light	JJ
in	in	IN
the	the	DT
identical	identical	NN
way	way	NN
<g/>
.	.	SENT
</s>
<s>
Such	such	NN
a	a	DT
glass	glass	NN
was	be	VBD
slender	slender	NN
sufficiently	sufficiently	RB
to	to	TO
be	be	NN
constructed	construct	VBD
and	and	CC
light	light	JJ
sufficiently	sufficiently	RB
to	to	TO
be	be	NN
turned	turn	VBD
<g/>
.	.	SENT
</s>
<s>
One	one	PRP
little	little	NN
lantern	lantern	NN
behind	behind	IN
it	it	PRP
could	could	MD
now	now	RB
be	be	NN
spotted	spott	VBD
twenty	twenty	CD
miles	mile	NNS
off	off	NN
<g/>
.	.	SENT
</s>
<s>
The	the	DT
circles	circle	NNS
were	be	VBD
ground	grind	VBN
by	by	IN
fingers	finger	NNS
<g/>
,	,	SENT
rinsed	rins	VBD
<g/>
,	,	SENT
checked	check	VBD
and	and	CC
ground	grind	VBN
again	again	RB
<g/>
,	,	SENT
and	and	CC
a	a	DT
lone	lone	NN
glass	glass	NN
took	take	VBD
a	a	DT
factory	factory	NN
of	of	IN
ten	ten	CD
men	men	NN
a	a	DT
entire	entire	NN
season	season	NN
<g/>
.	.	SENT
</s>
<s>
It	it	PRP
swam	swam	NN
in	in	IN
a	a	DT
bath	bath	NN
of	of	IN
mercury	mercury	NN
<g/>
,	,	SENT
so	so	NN
that	that	DT
a	a	DT
youngster	youngster	NN
could	could	MD
move	move	NN
three	three	CD
tons	ton	NNS
of	of	IN
glass	glass	NN
with	with	IN
one	one	PRP
finger	finger	NN
<g/>
.	.	SENT
</s>
<s>
I	i	NN
have	have	VBP
seen	see	VBN
such	such	NN
a	a	DT
glass	glass	NN
in	in	IN
a	a	DT
museum	museum	NN
<g/>
,	,	SENT
where	where	IN
it	it	PRP
stands	stand	NNS
in	in	IN
the	the	DT
middle	middle	NN
of	of	IN
a	a	DT
dark	dark	JJ
room	room	NN
<g/>
.	.	SENT
</s>
<s>
Visitors	visitor	NNS
walk	walk	NN
around	around	IN
it	it	PRP
slowly	slowly	RB
and	and	CC
speak	speak	NN
in	in	IN
low	low	JJ
voices	voice	NNS
<g/>
.	.	SENT
</s>
</doc>
<doc author="Nora Field" id="8" class="plagiarism" source="3">
<s>
Loneliness	loneliness	NN
is	be	VBZ
what	what	WP
most	most	NN
people	people	NN
think	think	NN
of	of	IN
first	first	NN
<g/>
.	.	SENT
</s>
<s>
During	during	IN
the	the	DT
night	night	NN
two	two	CD
men	men	NN
took	take	VBD
turns	turn	VBZ
<g/>
,	,	SENT
four	four	CD
hours	hour	NNS
each	each	DT
<g/>
,	,	SENT
because	because	IN
nobody	nobody	PRP
can	can	MD
watch	watch	NN
a	a	DT
flame	flame	NN
for	for	IN
longer	longer	NN
without	without	IN
falling	fall	VBG
asleep	asleep	NN
<g/>
.	.	SENT
</s>
<s>
A	a	DT
keeper	keeper	NN
<g/>
's	's	NN
day	day	NN
began	begin	VBD
in	in	IN
the	the	DT
evening	even	VBG
<g/>
.	.	SENT
</s>
<s>
When	when	IN
storms	storm	NNS
went	go	VBD
on	on	IN
for	for	IN
weeks	week	NNS
<g/>
,	,	SENT
they	they	PRP
ate	eat	VBD
what	what	WP
the	the	DT
birds	bird	NNS
left	leave	VBN
on	on	IN
the	the	DT
gallery	gallery	NN
<g/>
.	.	SENT
</s>
<s>
Families	family	NNS
lived	liv	VBD
at	at	IN
the	the	DT
larger	larger	NN
stations	station	NNS
<g/>
,	,	SENT
and	and	CC
the	the	DT
children	children	NN
learned	learn	VBD
to	to	TO
read	read	VBD
from	from	IN
the	the	DT
almanac	almanac	NN
and	and	CC
from	from	IN
old	old	JJ
newspapers	newspaper	NNS
that	that	DT
had	have	VBD
been	be	VBN
wrapped	wrap	VBN
around	around	IN
fish	fish	NN
<g/>
.	.	SENT
</s>
<s>
In	in	IN
the	the	DT
morning	morn	VBG
they	they	PRP
polished	polish	VBD
the	the	DT
brass	brass	JJ
and	and	CC
wrote	write	VBD
the	the	DT
weather	weather	NN
into	into	IN
a	a	DT
thick	thick	JJ
book	book	NN
<g/>
.	.	SENT
</s>
<s>
Food	food	NN
came	come	VBD
by	by	IN
boat	boat	NN
once	once	RB
a	a	DT
month	month	NN
<g/>
,	,	SENT
if	if	IN
the	the	DT
sea	sea	NN
allowed	allow	VBD
it	it	PRP
<g/>
.	.	SENT
</s>
<s>
He	he	PRP
trimmed	trimm	VBD
the	the	DT
wick	wick	NN
<g/>
,	,	SENT
filled	fill	VBD
the	the	DT
lamp	lamp	NN
with	with	IN
oil	oil	NN
and	and	CC
pulled	pull	VBD
back	back	RB
the	the	DT
curtains	curtain	NNS
that	that	DT
protected	protect	VBD
the	the	DT
lens	len	NNS
from	from	IN
the	the	DT
sun	sun	NN
<g/>
.	.	SENT
</s>
<s>
The	the	DT
men	men	NN
themselves	themselve	NNS
seldom	seldom	RB
mention	mention	NN
it	it	PRP
in	in	IN
their	their	PP$
letters	letter	NNS
<g/>
.	.	SENT
</s>
<s>
They	they	PRP
write	write	NN
about	about	NN
potatoes	potatoe	NNS
<g/>
,	,	SENT
about	about	NN
the	the	DT
stove	stove	NN
and	and	CC
about	about	NN
a	a	DT
tooth	tooth	NN
that	that	DT
hurts	hurt	NNS
<g/>
.	.	SENT
</s>
</doc>
<doc author="Nora Field" id="9" class="plagiarism" source="4">
<s>
Nothing	nothing	PRP
about	about	NN
this	this	DT
undertaking	undertak	VBG
was	be	VBD
certain	certain	NN
when	when	IN
it	it	PRP
began	begin	VBD
<g/>
.	.	SENT
</s>
<s>
The	the	DT
owner	owner	NN
of	of	IN
the	the	DT
nearest	near	JJS
inn	inn	NN
took	take	VBD
bets	bet	NNS
on	on	IN
how	how	NN
long	long	JJ
the	the	DT
workers	worker	NNS
would	would	MD
stay	stay	VBP
<g/>
.	.	SENT
</s>
<s>
cutting	cutt	VBG
that	that	DT
rock	rock	NN
In	in	IN
that	that	DT
so	so	NN
a	a	DT
The	the	DT
weather	weather	NN
bars	bar	NNS
out	out	RB
the	the	DT
tear	tear	NN
is	be	VBZ
spent	spent	NN
piece	piece	NN
<g/>
.	.	SENT
</s>
<s>
on	on	IN
a	a	DT
slow	slow	NN
day	day	NN
a	a	DT
waves	wave	NNS
had	have	VBD
only	only	RB
ninety	ninety	CD
masons	mason	NNS
in	in	IN
dry	dry	JJ
puzzle	puzzle	NN
<g/>
.	.	SENT
and	and	CC
it	it	PRP
land	land	NN
they	they	PRP
Building	build	VBG
covers	cover	NNS
for	for	IN
work	work	NN
holes	hole	NNS
<g/>
.	.	SENT
</s>
<s>
a	a	DT
iron	iron	NN
locked	lock	VBD
numbered	number	VBN
on	on	IN
tide	tide	NN
crane	crane	NN
the	the	DT
them	them	PRP
lowered	lower	VBD
like	like	IN
its	its	PP$
neighbours	neighbour	NNS
on	on	IN
the	the	DT
first	first	NN
by	by	IN
a	a	DT
block	block	NN
<g/>
,	,	SENT
</s>
<s>
the	the	DT
blocks	block	NNS
was	be	VBD
shipped	ship	VBN
<g/>
,	,	SENT
shaped	shape	VBN
twice	twice	RB
of	of	IN
calm	calm	JJ
summer	summer	NN
and	and	CC
were	be	VBD
into	into	IN
a	a	DT
tower	tower	NN
that	that	DT
Every	every	DT
hours	hour	NNS
tried	try	VBD
to	to	TO
stone	stone	NN
away	away	RB
<g/>
.	.	SENT
</s>
<s>
He	he	PRP
lost	lose	VBD
a	a	DT
good	good	NN
deal	deal	NN
of	of	IN
money	money	NN
<g/>
.	.	SENT
</s>
<s>
Today	today	NN
a	a	DT
small	small	JJ
brass	brass	JJ
plate	plate	NN
names	name	NNS
those	those	NN
who	who	WP
did	do	VBD
not	not	RB
come	come	NN
back	back	RB
<g/>
.	.	SENT
</s>
</doc>
<doc author="Nora Field" id="10" class="plagiarism" source="5">
<s>
When	when	IN
the	the	DT
air	air	NN
is	be	VBZ
thick	thick	JJ
<g/>
,	,	SENT
no	no	DT
lamp	lamp	NN
is	be	VBZ
of	of	IN
much	much	NN
use	use	NN
<g/>
,	,	SENT
and	and	CC
so	so	NN
coasts	coast	NNS
were	be	VBD
given	given	NN
voices	voice	NNS
as	as	IN
well	well	NN
<g/>
.	.	SENT
</s>
<s>
Guns	gun	NNS
came	come	VBD
first	first	NN
<g/>
,	,	SENT
but	but	CC
they	they	PRP
were	be	VBD
costly	costly	RB
and	and	CC
not	not	RB
safe	safe	NN
<g/>
.	.	SENT
</s>
<s>
After	after	IN
them	them	PRP
came	come	VBD
bells	bell	NNS
and	and	CC
steam	steam	NN
whistles	whistle	NNS
<g/>
,	,	SENT
and	and	CC
finally	finally	RB
a	a	DT
horn	horn	NN
fed	feed	VBN
with	with	IN
compressed	compress	VBD
air	air	NN
that	that	DT
carried	carry	VBN
about	about	NN
five	five	CD
miles	mile	NNS
<g/>
.	.	SENT
</s>
<s>
It	it	PRP
was	be	VBD
not	not	RB
reliable	reliable	JJ
<g/>
,	,	SENT
because	because	IN
fog	fog	NN
bends	bend	NNS
sound	sound	NN
<g/>
:	:	SENT
a	a	DT
vessel	vessel	NN
nearby	nearby	NN
might	might	NN
hear	hear	NN
nothing	nothing	PRP
at	at	IN
all	all	NN
<g/>
,	,	SENT
while	while	IN
people	people	NN
on	on	IN
distant	distant	NN
farms	farm	NNS
lay	lay	NN
awake	awake	NN
<g/>
.	.	SENT
</s>
<s>
To	to	TO
tell	tell	NN
the	the	DT
places	place	NNS
apart	apart	NN
<g/>
,	,	SENT
each	each	DT
of	of	IN
them	them	PRP
was	be	VBD
given	given	NN
its	its	PP$
own	own	JJ
pattern	pattern	NN
<g/>
,	,	SENT
for	for	IN
example	example	NN
two	two	CD
blasts	blast	NNS
and	and	CC
a	a	DT
pause	pause	NN
<g/>
.	.	SENT
</s>
<s>
A	a	DT
sailor	sailor	NN
who	who	WP
knew	know	VBD
the	the	DT
patterns	pattern	NNS
could	could	MD
say	say	NN
which	which	IN
rock	rock	NN
he	he	PRP
was	be	VBD
near	near	IN
without	without	IN
seeing	see	VBG
anything	anyth	VBG
<g/>
.	.	SENT
</s>
<s>
Today	today	NN
a	a	DT
small	small	JJ
box	box	NN
on	on	IN
the	the	DT
bridge	bridge	NN
does	do	VBZ
the	the	DT
same	same	JJ
job	job	NN
<g/>
,	,	SENT
and	and	CC
most	most	NN
of	of	IN
the	the	DT
horns	horn	NNS
are	be	VBP
silent	silent	NN
<g/>
.	.	SENT
</s>
</doc>
<doc author="Jana Vránová" id="1" class="original" source="1">
<s>
První	první	k2
vlaky	vlaka	k1
na	na	k7
naší	naší	k2
trati	trati	k1
tahali	tahat	k5
koně	koně	k1
<g/>
.	.	k?
</s>
<s>
Koleje	kolej	k1
vedly	vedla	k1
přes	přes	k7
kopce	kopc	k1
a	a	k8
přes	přes	k7
les	les	k1
až	až	k8
k	k	k7
řece	řec	k1
<g/>
,	,	k?
kde	kde	k1
se	se	k7
sůl	sůl	k1
překládala	překládat	k5
na	na	k7
lodě	lodě	k1
<g/>
.	.	k?
</s>
<s>
Jeden	jeden	k4
kůň	kůň	k1
utáhl	utáhl	k1
na	na	k7
kolejích	kolejích	k1
tolik	tolik	k1
jako	jako	k1
osm	osm	k4
koní	koní	k2
na	na	k7
silnici	silnici	k1
<g/>
,	,	k?
a	a	k8
přece	přece	k9
cesta	cesta	k1
trvala	trvat	k5
dva	dva	k4
dny	dny	k1
<g/>
.	.	k?
</s>
<s>
Na	na	k7
každé	každý	k2
stanici	stanici	k1
se	se	k7
měnilo	měnilo	k1
spřežení	spřežení	k2
<g/>
,	,	k?
kočí	kočí	k2
si	si	k1
dal	dal	k1
polévku	polévk	k1
a	a	k8
cestující	cestující	k2
čekali	čekat	k5
pod	pod	k7
širokou	široka	k1
střechou	střecha	k1
<g/>
.	.	k?
</s>
<s>
V	v	k7
zimě	zimě	k1
se	se	k7
jezdilo	jezdilo	k1
na	na	k7
saních	saních	k1
vedle	vedle	k7
trati	trati	k1
<g/>
,	,	k?
protože	protože	k8
sníh	sníh	k1
zavál	zavál	k1
výhybky	výhybka	k1
<g/>
.	.	k?
</s>
<s>
Lidé	lidý	k2
se	se	k7
zprvu	zprv	k1
báli	báli	k1
<g/>
,	,	k?
že	že	k8
jim	jim	k1
stroj	stroj	k1
jednou	jednou	k6
sebere	seber	k1
práci	práci	k1
<g/>
,	,	k?
a	a	k8
měli	měli	k1
pravdu	pravd	k1
<g/>
.	.	k?
</s>
<s>
Když	když	k8
přijela	přijela	k1
první	první	k2
lokomotiva	lokomotiva	k1
<g/>
,	,	k?
koně	koně	k1
prodali	prodat	k5
na	na	k7
trhu	trh	k1
a	a	k8
stáje	stáj	k1
se	se	k7
změnily	změnit	k5
ve	ve	k7
sklady	sklada	k1
<g/>
.	.	k?
</s>
<s>
Dnes	dnes	k6
po	po	k7
staré	starý	k2
trase	tras	k1
vede	vést	k5
cesta	cesta	k1
pro	pro	k7
kola	kola	k1
a	a	k8
jen	jen	k6
kamenné	kamenný	k2
mosty	mosta	k1
připomínají	připomínají	k2
<g/>
,	,	k?
kudy	kuda	k1
se	se	k7
kdysi	kdysi	k1
vozila	vozit	k5
sůl	sůl	k1
<g/>
.	.	k?
</s>
</doc>
<doc author="Jana Vránová" id="2" class="original" source="2">
<s>
Parní	parní	k2
stroj	stroj	k1
potřebuje	potřebovat	k5
dvě	dvě	k4
věci	věci	k1
<g/>
,	,	k?
vodu	vod	k1
a	a	k8
uhlí	uhlí	k2
<g/>
,	,	k?
a	a	k8
obojího	obojího	k1
spotřebuje	spotřebovat	k5
víc	víc	k6
<g/>
,	,	k?
než	než	k8
by	by	k1
člověk	člověk	k1
čekal	čekat	k5
<g/>
.	.	k?
</s>
<s>
Topič	topič	k1
přiložil	přiložit	k5
za	za	k7
jedinou	jedina	k1
směnu	směn	k1
několik	několik	k4
tun	tun	k1
uhlí	uhlí	k2
a	a	k8
večer	večer	k6
necítil	necítit	k5
ramena	ramena	k1
<g/>
.	.	k?
</s>
<s>
Voda	voda	k1
se	se	k7
brala	brala	k1
z	z	k7
vysokých	vysoký	k2
věží	věží	k2
<g/>
,	,	k?
které	které	k3
stály	stát	k5
na	na	k7
každé	každý	k2
větší	větší	k2
stanici	stanici	k1
<g/>
,	,	k?
a	a	k8
pokud	pokud	k8
byla	být	k5
tvrdá	tvrdý	k2
<g/>
,	,	k?
usazoval	usazovat	k5
se	se	k7
v	v	k7
kotli	kotli	k1
kámen	kámen	k1
<g/>
.	.	k?
</s>
<s>
Strojvedoucí	strojvedoucí	k2
poznal	poznat	k5
stav	stav	k1
stroje	stroj	k1
podle	podle	k7
zvuku	zvuk	k1
a	a	k8
podle	podle	k7
barvy	barva	k1
kouře	kouř	k1
<g/>
.	.	k?
</s>
<s>
Černý	černý	k2
kouř	kouř	k1
znamenal	znamenat	k5
<g/>
,	,	k?
že	že	k8
se	se	k7
topí	topí	k2
špatně	špatně	k6
<g/>
,	,	k?
bílý	bílý	k2
<g/>
,	,	k?
že	že	k8
někde	někde	k6
uniká	uniký	k2
pára	pára	k1
<g/>
.	.	k?
</s>
<s>
Do	do	k7
kopce	kopc	k1
se	se	k7
jelo	jet	k5
pomalu	pomalu	k6
a	a	k8
na	na	k7
kluzké	kluzký	k2
koleje	kolej	k1
se	se	k7
sypal	sypat	k5
písek	písek	k1
<g/>
.	.	k?
</s>
<s>
Když	když	k8
vlak	vlak	k1
konečně	konečně	k1
dojel	dojet	k5
do	do	k7
cíle	cíl	k1
<g/>
,	,	k?
stroj	stroj	k1
se	se	k7
otočil	otočit	k5
na	na	k7
točně	točně	k1
a	a	k8
celá	celý	k2
práce	prác	k1
začala	začat	k5
znovu	znovu	k6
<g/>
.	.	k?
</s>
<s>
Teprve	teprv	k1
pak	pak	k6
si	si	k1
oba	oba	k1
muži	muži	k1
mohli	mohli	k1
umýt	umýt	k1
ruce	ruc	k1
<g/>
.	.	k?
</s>
</doc>
<doc author="Jana Vránová" id="3" class="original" source="3">
<s>
Výpravčí	výpravčí	k2
v	v	k7
malé	malý	k2
stanici	stanici	k1
znal	znát	k5
každého	každý	k2
cestujícího	cestujícího	k1
jménem	jménem	k1
<g/>
.	.	k?
</s>
<s>
Ráno	ráno	k6
rozsvítil	rozsvítit	k5
lampy	lampa	k1
<g/>
,	,	k?
zametl	zametl	k1
nástupiště	nástupiště	k1
a	a	k8
podíval	podívat	k5
se	se	k7
na	na	k7
hodiny	hodina	k1
<g/>
,	,	k?
které	které	k3
řídily	řídit	k5
život	život	k1
celé	celý	k2
vesnice	vesnic	k1
<g/>
.	.	k?
</s>
<s>
Telegraf	telegraf	k1
mu	mu	k3
oznámil	oznámit	k5
<g/>
,	,	k?
že	že	k8
vlak	vlak	k1
opustil	opustit	k5
sousední	sousední	k2
stanici	stanici	k1
<g/>
,	,	k?
a	a	k8
on	on	k3
pak	pak	k6
přehodil	přehodit	k5
výhybku	výhybk	k1
a	a	k8
zvedl	zvedl	k1
návěstidlo	návěstidlo	k1
<g/>
.	.	k?
</s>
<s>
Mezi	mezi	k7
vlaky	vlaka	k1
pěstoval	pěstovat	k5
na	na	k7
zahradě	zahradě	k1
zeleninu	zelenin	k1
a	a	k8
choval	chovat	k5
králíky	králíka	k1
<g/>
.	.	k?
</s>
<s>
Jeho	jeho	k3
žena	žena	k1
prodávala	prodávat	k5
jízdenky	jízdenka	k1
a	a	k8
v	v	k7
zimě	zimě	k1
vařila	vařit	k5
čaj	čaj	k1
pro	pro	k7
ty	ty	k3
<g/>
,	,	k?
kdo	kdo	k3
přišli	přišli	k1
příliš	příliš	k1
brzy	brzy	k6
<g/>
.	.	k?
</s>
<s>
Nehody	nehoda	k1
se	se	k7
stávaly	stávala	k1
málokdy	málokdy	k6
<g/>
,	,	k?
ale	ale	k8
když	když	k8
se	se	k7
stala	stala	k1
<g/>
,	,	k?
vyslýchali	vyslýchat	k5
ho	ho	k3
celé	celý	k2
dny	dny	k1
<g/>
.	.	k?
</s>
<s>
Dnes	dnes	k6
řídí	řídit	k5
provoz	provoz	k1
počítač	počítač	k1
ve	ve	k7
městě	městě	k1
<g/>
,	,	k?
okna	okna	k1
stanice	stanic	k1
jsou	být	k5
zabedněná	zabedněný	k2
a	a	k8
na	na	k7
hodinách	hodina	k1
je	být	k5
pořád	pořád	k6
čtvrt	čtvrt	k1
na	na	k7
tři	tři	k4
<g/>
.	.	k?
</s>
<s>
Jen	jen	k6
zahrada	zahrada	k1
kvete	kvet	k1
dál	dál	k1
<g/>
,	,	k?
protože	protože	k8
ji	ji	k3
nikdo	nikdo	k3
nehlídá	nehlídý	k2
<g/>
.	.	k?
</s>
</doc>
<doc author="Jana Vránová" id="4" class="original" source="4">
<s>
Most	most	k1
přes	přes	k7
údolí	údolí	k2
stavěli	stavěli	k1
tři	tři	k4
roky	roka	k1
a	a	k8
nikdo	nikdo	k3
nevěřil	nevěřit	k5
<g/>
,	,	k?
že	že	k8
vydrží	vydrží	k2
<g/>
.	.	k?
</s>
<s>
Nejdřív	nejdřív	k6
vyrostly	vyrostla	k1
dva	dva	k4
pilíře	pilíř	k1
ze	ze	k7
žuly	žula	k1
<g/>
,	,	k?
každý	každý	k2
vysoký	vysoký	k2
jako	jako	k1
věž	věž	k1
kostela	kostela	k1
<g/>
.	.	k?
</s>
<s>
Potom	potom	k6
dělníci	dělníci	k1
začali	začat	k5
z	z	k7
obou	obo	k1
stran	stran	k1
vysouvat	vysouvat	k1
železné	železný	k2
nosníky	nosníka	k1
<g/>
,	,	k?
které	které	k3
držely	držela	k1
jen	jen	k6
na	na	k7
lanech	lan	k1
<g/>
.	.	k?
</s>
<s>
Když	když	k8
se	se	k7
obě	obě	k1
části	části	k1
měly	mít	k5
setkat	setkat	k1
<g/>
,	,	k?
chyběly	chyběla	k1
jim	jim	k1
tři	tři	k4
centimetry	centimetra	k1
<g/>
.	.	k?
</s>
<s>
Stavitel	stavitet	k5
počkal	počkat	k5
na	na	k7
horké	horký	k2
poledne	poledn	k1
<g/>
,	,	k?
železo	železo	k1
se	se	k7
roztáhlo	roztáhlo	k1
a	a	k8
nýty	nýta	k1
zapadly	zapadla	k1
na	na	k7
své	své	k3
místo	místo	k1
<g/>
.	.	k?
</s>
<s>
Při	při	k7
zkoušce	zkoušc	k1
přijelo	přijelo	k1
na	na	k7
most	most	k1
šest	šest	k4
lokomotiv	lokomotiv	k1
a	a	k8
stavitel	stavitet	k5
stál	stát	k5
celou	cela	k1
dobu	dob	k1
pod	pod	k7
ním	ním	k1
<g/>
.	.	k?
</s>
<s>
Most	most	k1
sloužil	sloužit	k5
sto	sto	k4
let	let	k1
<g/>
.	.	k?
</s>
<s>
Potom	potom	k6
jeho	jeho	k3
železo	železo	k1
zesláblo	zesláblo	k1
a	a	k8
vlaky	vlaka	k1
musely	musela	k1
jezdit	jezdit	k5
krokem	krokem	k1
<g/>
,	,	k?
až	až	k8
vedle	vedle	k7
vyrostl	vyrostl	k1
nový	nový	k2
z	z	k7
betonu	beton	k1
<g/>
.	.	k?
</s>
<s>
Starý	starý	k2
nechali	nechat	k5
stát	stát	k1
<g/>
,	,	k?
aby	aby	k8
po	po	k7
něm	něm	k1
mohli	mohli	k1
chodit	chodit	k1
výletníci	výletníci	k1
<g/>
.	.	k?
</s>
</doc>
<doc author="Jana Vránová" id="5" class="original" source="5">
<s>
Zavřít	zavřít	k1
trať	trať	k1
je	být	k5
snadné	snadný	k2
<g/>
,	,	k?
otevřít	otevřít	k1
ji	ji	k3
znovu	znovu	k6
skoro	skoro	k6
nejde	nejd	k1
<g/>
.	.	k?
</s>
<s>
Nejprve	nejprv	k1
se	se	k7
zruší	zruší	k2
večerní	večerní	k2
spoje	spoj	k1
<g/>
,	,	k?
protože	protože	k8
v	v	k7
nich	nich	k1
sedí	sedí	k2
málo	málo	k6
lidí	lidí	k2
<g/>
.	.	k?
</s>
<s>
Kdo	kdo	k3
pracuje	pracovat	k5
odpoledne	odpoledn	k1
<g/>
,	,	k?
koupí	koupí	k2
si	si	k1
auto	auto	k1
a	a	k8
přestane	přestan	k1
jezdit	jezdit	k5
i	i	k8
ráno	ráno	k6
<g/>
.	.	k?
</s>
<s>
Za	za	k7
dva	dva	k4
roky	roka	k1
úřad	úřad	k1
spočítá	spočítý	k2
cestující	cestující	k2
znovu	znovu	k6
a	a	k8
zjistí	zjistí	k2
<g/>
,	,	k?
že	že	k8
jich	jich	k3
ubylo	ubylo	k1
<g/>
.	.	k?
</s>
<s>
Pak	pak	k6
se	se	k7
přestanou	přestana	k1
opravovat	opravovat	k5
pražce	pražc	k1
<g/>
,	,	k?
vlak	vlak	k1
smí	smět	k5
jet	jet	k1
jen	jen	k6
třicet	třicet	k4
kilometrů	kilometr	k1
za	za	k7
hodinu	hodin	k1
a	a	k8
autobus	autobus	k1
je	být	k5
najednou	najedna	k1
rychlejší	rychlejší	k2
<g/>
.	.	k?
</s>
<s>
Nakonec	nakonec	k6
přijde	přijít	k5
dopis	dopis	k1
<g/>
,	,	k?
že	že	k8
provoz	provoz	k1
se	se	k7
zastavuje	zastavovat	k5
dočasně	dočasně	k6
<g/>
.	.	k?
</s>
<s>
Mezi	mezi	k7
kolejemi	kolejemi	k1
vyroste	vyrost	k1
bříza	bříza	k1
a	a	k8
někdo	někdo	k1
v	v	k7
noci	noci	k1
odveze	odvez	k1
kabely	kabela	k1
<g/>
.	.	k?
</s>
<s>
V	v	k7
jiných	jiný	k2
zemích	zemích	k1
zkusili	zkusili	k1
opak	opak	k1
<g/>
:	:	k?
přidali	přidat	k5
vlaky	vlaka	k1
<g/>
,	,	k?
opravili	opravili	k1
stanice	stanic	k1
a	a	k8
lidé	lidý	k2
se	se	k7
vrátili	vrátili	k1
<g/>
.	.	k?
</s>
<s>
Stálo	stálo	k1
to	to	k3
méně	méně	k1
než	než	k8
nová	nový	k2
silnice	silnic	k1
<g/>
,	,	k?
o	o	k7
které	které	k3
se	se	k7
v	v	k7
novinách	novina	k1
psalo	psalo	k1
celý	celý	k2
rok	rok	k1
<g/>
.	.	k?
</s>
</doc>
<doc author="Jana Vránová" id="6" class="plagiarism" source="1">
<s>
Ve	ve	k7
své	své	k3
práci	práci	k1
chci	chci	k1
ukázat	ukázat	k1
<g/>
,	,	k?
že	že	k8
doprava	doprava	k1
nezačala	nezačat	k5
parou	para	k1
<g/>
.	.	k?
</s>
<s>
Můj	můj	k1
děda	děda	k1
mi	mi	k1
vyprávěl	vyprávěl	k1
<g/>
,	,	k?
že	že	k8
jako	jako	k1
kluk	kluk	k1
našel	našet	k5
v	v	k7
potoce	potoc	k1
starou	stara	k1
podkovu	podkov	k1
<g/>
.	.	k?
</s>
<s>
První	první	k2
vlaky	vlaka	k1
na	na	k7
naší	naší	k2
trati	trati	k1
tahali	tahat	k5
koně	koně	k1
<g/>
.	.	k?
</s>
<s>
Koleje	kolej	k1
vedly	vedla	k1
přes	přes	k7
kopce	kopc	k1
a	a	k8
přes	přes	k7
les	les	k1
až	až	k8
k	k	k7
řece	řec	k1
<g/>
,	,	k?
kde	kde	k1
se	se	k7
sůl	sůl	k1
překládala	překládat	k5
na	na	k7
lodě	lodě	k1
<g/>
.	.	k?
</s>
<s>
Jeden	jeden	k4
kůň	kůň	k1
utáhl	utáhl	k1
na	na	k7
kolejích	kolejích	k1
tolik	tolik	k1
jako	jako	k1
osm	osm	k4
koní	koní	k2
na	na	k7
silnici	silnici	k1
<g/>
,	,	k?
a	a	k8
přece	přece	k9
cesta	cesta	k1
trvala	trvat	k5
dva	dva	k4
dny	dny	k1
<g/>
.	.	k?
</s>
<s>
Na	na	k7
každé	každý	k2
stanici	stanici	k1
se	se	k7
měnilo	měnilo	k1
spřežení	spřežení	k2
<g/>
,	,	k?
kočí	kočí	k2
si	si	k1
dal	dal	k1
polévku	polévk	k1
a	a	k8
cestující	cestující	k2
čekali	čekat	k5
pod	pod	k7
širokou	široka	k1
střechou	střecha	k1
<g/>
.	.	k?
</s>
<s>
V	v	k7
zimě	zimě	k1
se	se	k7
jezdilo	jezdilo	k1
na	na	k7
saních	saních	k1
vedle	vedle	k7
trati	trati	k1
<g/>
,	,	k?
protože	protože	k8
sníh	sníh	k1
zavál	zavál	k1
výhybky	výhybka	k1
<g/>
.	.	k?
</s>
<s>
Dlouho	dlouho	k1
ji	ji	k3
nosil	nosit	k5
v	v	k7
kapse	kaps	k1
pro	pro	k7
štěstí	štěstí	k2
<g/>
.	.	k?
</s>
<s>
Teprve	teprv	k1
v	v	k7
muzeu	muze	k1
zjistil	zjistit	k5
<g/>
,	,	k?
odkud	odkud	k1
se	se	k7
vzala	vzala	k1
<g/>
.	.	k?
</s>
</doc>
<doc author="Jana Vránová" id="7" class="plagiarism" source="2">
<s>
Na	na	k7
nádraží	nádraží	k2
v	v	k7
našem	našem	k1
městě	městě	k1
stojí	stát	k5
za	za	k7
plotem	plotem	k1
jeden	jeden	k4
takový	takový	k2
stroj	stroj	k1
<g/>
.	.	k?
</s>
<s>
Parní	parní	k2
motor	motor	k1
žádá	žádý	k2
obě	obě	k1
věci	věci	k1
<g/>
,	,	k?
tekutinu	tekutin	k1
a	a	k8
palivo	palivo	k1
<g/>
,	,	k?
a	a	k8
obojího	obojího	k1
spolkne	spolkn	k1
víc	víc	k6
<g/>
,	,	k?
než	než	k8
by	by	k1
někdo	někdo	k1
čekal	čekat	k5
<g/>
.	.	k?
</s>
<s>
Topič	topič	k1
naházel	naházet	k5
za	za	k7
každou	každa	k1
směnu	směn	k1
několik	několik	k4
tun	tun	k1
palivo	palivo	k1
a	a	k8
nakonec	nakonec	k6
nevnímal	nevnímat	k5
ramena	ramena	k1
<g/>
.	.	k?
</s>
<s>
Voda	voda	k1
se	se	k7
čerpala	čerpat	k5
z	z	k7
velkých	velký	k2
věží	věží	k2
<g/>
,	,	k?
které	které	k3
stály	stát	k5
na	na	k7
každé	každý	k2
významnější	významnější	k2
zastávce	zastávc	k1
<g/>
,	,	k?
a	a	k8
pokud	pokud	k8
byla	být	k5
vápenitá	vápenitý	k2
<g/>
,	,	k?
ukládal	ukládat	k5
se	se	k7
v	v	k7
kotli	kotli	k1
kámen	kámen	k1
<g/>
.	.	k?
</s>
<s>
Strojvedoucí	strojvedoucí	k2
odhadl	odhadl	k1
náladu	nálad	k1
stroje	stroj	k1
podle	podle	k7
hluku	hluk	k1
a	a	k8
podle	podle	k7
odstínu	odstín	k1
dýmu	dým	k1
<g/>
.	.	k?
</s>
<s>
Černý	černý	k2
dým	dým	k1
říkal	říkat	k5
<g/>
,	,	k?
že	že	k8
se	se	k7
topí	topí	k2
špatně	špatně	k6
<g/>
,	,	k?
bílý	bílý	k2
<g/>
,	,	k?
že	že	k8
někde	někde	k6
utíká	utíký	k2
pára	pára	k1
<g/>
.	.	k?
</s>
<s>
Do	do	k7
kopce	kopc	k1
se	se	k7
jelo	jet	k5
zvolna	zvolna	k1
a	a	k8
na	na	k7
mokré	mokrý	k2
kolejnice	kolejnic	k1
se	se	k7
házel	házet	k5
písek	písek	k1
<g/>
.	.	k?
</s>
<s>
Děti	děti	k1
po	po	k7
něm	něm	k1
lezou	leza	k1
a	a	k8
nikdo	nikdo	k3
jim	jim	k1
to	to	k3
nezakazuje	nezakazovat	k5
<g/>
.	.	k?
</s>
<s>
Zkusila	zkusit	k5
jsem	jsem	k1
zjistit	zjistit	k1
<g/>
,	,	k?
jak	jak	k8
se	se	k7
s	s	k7
ním	ním	k1
vlastně	vlastně	k9
zacházelo	zacházelo	k1
<g/>
.	.	k?
</s>
</doc>
<doc author="Jana Vránová" id="8" class="plagiarism" source="3">
<s>
Takové	takový	k2
povolání	povolání	k2
už	už	k6
nikdo	nikdo	k3
mladý	mladý	k2
nepozná	nepozný	k2
<g/>
.	.	k?
</s>
<s>
Jeho	jeho	k3
žena	žena	k1
prodávala	prodávat	k5
jízdenky	jízdenka	k1
a	a	k8
v	v	k7
zimě	zimě	k1
vařila	vařit	k5
čaj	čaj	k1
pro	pro	k7
ty	ty	k3
<g/>
,	,	k?
kdo	kdo	k3
přišli	přišli	k1
příliš	příliš	k1
brzy	brzy	k6
<g/>
.	.	k?
</s>
<s>
Dnes	dnes	k6
řídí	řídit	k5
provoz	provoz	k1
počítač	počítač	k1
ve	ve	k7
městě	městě	k1
<g/>
,	,	k?
okna	okna	k1
stanice	stanic	k1
jsou	být	k5
zabedněná	zabedněný	k2
a	a	k8
na	na	k7
hodinách	hodina	k1
je	být	k5
pořád	pořád	k6
čtvrt	čtvrt	k1
na	na	k7
tři	tři	k4
<g/>
.	.	k?
</s>
<s>
Nehody	nehoda	k1
se	se	k7
stávaly	stávala	k1
málokdy	málokdy	k6
<g/>
,	,	k?
ale	ale	k8
když	když	k8
se	se	k7
stala	stala	k1
<g/>
,	,	k?
vyslýchali	vyslýchat	k5
ho	ho	k3
celé	celý	k2
dny	dny	k1
<g/>
.	.	k?
</s>
<s>
Telegraf	telegraf	k1
mu	mu	k3
oznámil	oznámit	k5
<g/>
,	,	k?
že	že	k8
vlak	vlak	k1
opustil	opustit	k5
sousední	sousední	k2
stanici	stanici	k1
<g/>
,	,	k?
a	a	k8
on	on	k3
pak	pak	k6
přehodil	přehodit	k5
výhybku	výhybk	k1
a	a	k8
zvedl	zvedl	k1
návěstidlo	návěstidlo	k1
<g/>
.	.	k?
</s>
<s>
Ráno	ráno	k6
rozsvítil	rozsvítit	k5
lampy	lampa	k1
<g/>
,	,	k?
zametl	zametl	k1
nástupiště	nástupiště	k1
a	a	k8
podíval	podívat	k5
se	se	k7
na	na	k7
hodiny	hodina	k1
<g/>
,	,	k?
které	které	k3
řídily	řídit	k5
život	život	k1
celé	celý	k2
vesnice	vesnic	k1
<g/>
.	.	k?
</s>
<s>
Výpravčí	výpravčí	k2
v	v	k7
malé	malý	k2
stanici	stanici	k1
znal	znát	k5
každého	každý	k2
cestujícího	cestujícího	k1
jménem	jménem	k1
<g/>
.	.	k?
</s>
<s>
Mezi	mezi	k7
vlaky	vlaka	k1
pěstoval	pěstovat	k5
na	na	k7
zahradě	zahradě	k1
zeleninu	zelenin	k1
a	a	k8
choval	chovat	k5
králíky	králíka	k1
<g/>
.	.	k?
</s>
<s>
Psala	psala	k1
jsem	jsem	k1
o	o	k7
něm	něm	k1
podle	podle	k7
vyprávění	vyprávění	k2
sousedky	sousedka	k1
<g/>
,	,	k?
která	která	k3
na	na	k7
nádraží	nádraží	k2
vyrostla	vyrostla	k1
<g/>
.	.	k?
</s>
<s>
Některá	některý	k2
slova	slova	k1
jsem	jsem	k1
musela	musela	k1
hledat	hledat	k1
ve	ve	k7
slovníku	slovník	k1
<g/>
.	.	k?
</s>
</doc>
<doc author="Jana Vránová" id="9" class="plagiarism" source="4">
<s>
Nejraději	nejraději	k1
mám	mám	k1
stavby	stavba	k1
<g/>
,	,	k?
u	u	k7
kterých	kterých	k3
je	být	k5
vidět	vidět	k1
<g/>
,	,	k?
jak	jak	k8
fungují	fungují	k2
<g/>
.	.	k?
</s>
<s>
Jednou	jednou	k6
jsme	být	k5
tam	tam	k1
byli	byli	k1
se	se	k7
školou	škola	k1
a	a	k8
učitel	učitet	k5
nás	nás	k1
nechal	nechat	k5
počítat	počítat	k1
nýty	nýta	k1
<g/>
.	.	k?
</s>
<s>
nikdo	nikdo	k3
nevěřil	nevěřit	k5
<g/>
,	,	k?
že	že	k8
vydrží	vydrží	k2
Most	most	k1
přes	přes	k7
údolí	údolí	k2
stavěli	stavěli	k1
tři	tři	k4
roky	roka	k1
a	a	k8
<g/>
.	.	k?
</s>
<s>
ze	ze	k7
žuly	žula	k1
<g/>
,	,	k?
každý	každý	k2
vysoký	vysoký	k2
jako	jako	k1
věž	věž	k1
kostela	kostela	k1
Nejdřív	nejdřív	k6
vyrostly	vyrostla	k1
dva	dva	k4
pilíře	pilíř	k1
<g/>
.	.	k?
</s>
<s>
držely	držela	k1
jen	jen	k6
na	na	k7
obou	obo	k1
stran	stran	k1
vysouvat	vysouvat	k1
železné	železný	k2
nosníky	nosníka	k1
<g/>
,	,	k?
které	které	k3
Potom	potom	k6
dělníci	dělníci	k1
začali	začat	k5
z	z	k7
lanech	lan	k1
<g/>
.	.	k?
</s>
<s>
Když	když	k8
se	se	k7
obě	obě	k1
<g/>
,	,	k?
chyběly	chyběla	k1
jim	jim	k1
tři	tři	k4
centimetry	centimetra	k1
části	části	k1
měly	mít	k5
setkat	setkat	k1
<g/>
.	.	k?
</s>
<s>
Stavitel	stavitet	k5
počkal	počkat	k5
na	na	k7
místo	místo	k1
nýty	nýta	k1
zapadly	zapadla	k1
na	na	k7
své	své	k3
železo	železo	k1
se	se	k7
roztáhlo	roztáhlo	k1
a	a	k8
horké	horký	k2
poledne	poledn	k1
<g/>
,	,	k?
<g/>
.	.	k?
</s>
<s>
na	na	k7
most	most	k1
šest	šest	k4
celou	cela	k1
dobu	dob	k1
pod	pod	k7
ním	ním	k1
Při	při	k7
zkoušce	zkoušc	k1
přijelo	přijelo	k1
lokomotiv	lokomotiv	k1
a	a	k8
stavitel	stavitet	k5
stál	stát	k5
<g/>
.	.	k?
</s>
<s>
Nikdo	nikdo	k3
se	se	k7
nedopočítal	nedopočítat	k5
ke	ke	k7
stejnému	stejném	k1
číslu	čísl	k1
<g/>
.	.	k?
</s>
<s>
Cestou	cesta	k1
domů	dom	k1
jsme	být	k5
se	se	k7
o	o	k7
to	to	k3
ještě	ještě	k6
přeli	přeli	k1
<g/>
.	.	k?
</s>
<s>
Kdo	kdo	k3
měl	měl	k1
pravdu	pravd	k1
<g/>
,	,	k?
to	to	k3
už	už	k6
dnes	dnes	k6
nikdo	nikdo	k3
nezjistí	nezjistí	k2
<g/>
,	,	k?
protože	protože	k8
plány	plána	k1
shořely	shořela	k1
<g/>
.	.	k?
</s>
</doc>
<doc author="Jana Vránová" id="10" class="plagiarism" source="5">
<s>
Zánik	zánik	k1
místní	místní	k2
dráhy	dráha	k1
má	mít	k5
svůj	svůj	k1
pořádek	pořádek	k1
<g/>
.	.	k?
</s>
<s>
Začíná	začíný	k2
to	to	k3
tím	tím	k1
<g/>
,	,	k?
že	že	k8
zmizí	zmizí	k2
večerní	večerní	k2
spoje	spoj	k1
<g/>
,	,	k?
a	a	k8
kdo	kdo	k3
se	se	k7
nemá	nemý	k2
jak	jak	k8
vrátit	vrátit	k1
z	z	k7
práce	prác	k1
<g/>
,	,	k?
pořídí	pořídí	k2
si	si	k1
auto	auto	k1
<g/>
.	.	k?
</s>
<s>
Úřad	úřad	k1
po	po	k7
čase	čas	k1
zjistí	zjistí	k2
<g/>
,	,	k?
že	že	k8
cestujících	cestujících	k1
je	být	k5
méně	méně	k1
<g/>
,	,	k?
a	a	k8
přestane	přestan	k1
trať	trať	k1
opravovat	opravovat	k5
<g/>
.	.	k?
</s>
<s>
Vlaky	vlaka	k1
jezdí	jezdí	k2
čím	čím	k1
dál	dál	k1
pomaleji	pomaleji	k1
<g/>
,	,	k?
takže	takž	k1
autobus	autobus	k1
vyhraje	vyhraj	k1
<g/>
.	.	k?
</s>
<s>
Na	na	k7
konci	konci	k1
je	být	k5
dopis	dopis	k1
o	o	k7
dočasném	dočasném	k1
zastavení	zastavení	k2
<g/>
,	,	k?
po	po	k7
kterém	kterém	k1
už	už	k6
se	se	k7
nic	nic	k1
nestane	nestan	k1
<g/>
,	,	k?
jen	jen	k6
mezi	mezi	k7
kolejemi	kolejemi	k1
roste	rost	k1
les	les	k1
<g/>
.	.	k?
</s>
<s>
Jde	jde	k1
to	to	k3
i	i	k8
obráceně	obráceně	k1
<g/>
:	:	k?
jinde	jind	k1
přidali	přidat	k5
spoje	spoj	k1
<g/>
,	,	k?
opravili	opravili	k1
nádraží	nádraží	k2
a	a	k8
lidé	lidý	k2
začali	začat	k5
zase	zas	k1
jezdit	jezdit	k5
<g/>
.	.	k?
</s>
<s>
Myslím	myslím	k1
<g/>
,	,	k?
že	že	k8
by	by	k1
se	se	k7
o	o	k7
tom	tom	k1
mělo	mělo	k1
mluvit	mluvit	k1
dřív	dřív	k6
<g/>
,	,	k?
než	než	k8
přijde	přijít	k5
ten	ten	k3
dopis	dopis	k1
<g/>
,	,	k?
protože	protože	k8
potom	potom	k6
už	už	k6
bývá	bývý	k2
pozdě	pozdě	k1
a	a	k8
všichni	všichni	k1
jen	jen	k6
krčí	krčí	k2
rameny	ramena	k1
a	a	k8
jdou	jdo	k1
dál	dál	k1
<g/>
.	.	k?
</s>
</doc>
