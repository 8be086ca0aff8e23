#!/usr/bin/perl
# Writes the files in testdata: the same tables in the orders that Storable
# knows, and files that are no tables of numbers.
use strict; use warnings; use utf8;
use Storable qw(store nstore);

my $dir = shift // ".";
my %pairs = ("the café" => 1/3, "дом мой" => 0.125, "it is" => 1, "is it" => "0.25",
    "a b" => 70000, "b a" => -5, "c d" => 5000000000, "1985 was" => 1e-9);
my %words = ("the" => 0.5, "café" => 1/7, "дом" => 1/9);
store  [\%pairs, \%words], "$dir/native.st";
nstore [\%pairs, \%words], "$dir/network.st";
store  [{ "plain" => 0.5, "keys" => 1 }, {}, { "third" => 2 }], "$dir/plain.st";
store  [{ "deep" => [1, 2] }], "$dir/nested.st";
store  { "no" => 1, "array" => 2 }, "$dir/hash.st";
store  [{ "word" => "no number" }], "$dir/text.st";
