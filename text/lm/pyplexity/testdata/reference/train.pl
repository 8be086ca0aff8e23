#!/usr/bin/perl
# Makes bigrams.st and trigrams.st from text.txt as the training scripts of
# PyPlexity's models do (their rules, not their code): the tokens of all lines
# are one stream with "#" before the first; P(w2|w1) = c(w1 w2)/c(w1) and
# P(w1) = c(w1)/(N+1), where c(w1) counts w1 as the first word of an n-gram and
# N is the number of n-grams.
use strict; use warnings; use utf8;
use open qw(:std :utf8);
use Storable qw(store);

my @tokens;
open my $in, "<:utf8", "text.txt" or die $!;
while (my $x = <$in>) {
    chomp $x;
    $x =~ s/([,;:])/ $1/g;
    $x =~ s/\. \w*/ . /g;
    $x =~ s/\.$/ ./;
    $x =~ s/([()"<>='`?¿!¡])/ $1 /g;
    $x =~ tr/A-ZÁÉÍÓÚÇÃÕÂÊÔÀÈ/a-záéíóúçãõâêôàè/;
    push @tokens, split " ", $x;
}
for my $order (2, 3) {
    my @window = ("#") x ($order - 1);
    my ($n, $seen, @count) = (1, 1); # tokens, n-grams: each plus one
    for my $t (@tokens) {
        push @window, $t;
        unless ($n == 1 && $order == 3) { # the trigrams begin one token late
            $seen++;
            $count[$_]{ join " ", @window[0 .. $_] }++ for 0 .. $order - 1;
        }
        shift @window;
        $n++;
    }
    my @model;
    for my $k (reverse 1 .. $order - 1) {
        my %p;
        for my $gram (keys %{ $count[$k] }) {
            my ($head) = $gram =~ /^(.*) /;
            $p{$gram} = $count[$k]{$gram} / $count[$k - 1]{$head};
        }
        push @model, \%p;
    }
    push @model, { map { $_ => $count[0]{$_} / $seen } keys %{ $count[0] } };
    store \@model, $order == 2 ? "bigrams.st" : "trigrams.st";
}
