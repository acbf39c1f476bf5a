#!/usr/bin/perl
# Written by the panel.
use strict;
use warnings;
use IO::Socket::UNIX;

my ($mailbox, @to) = ('');
while (defined(my $word = shift)) {
  if ($word eq '-f') { $mailbox = shift // '' }
  elsif ($word eq '--') { @to = @ARGV; last }
}
$mailbox =~ s/^<(.*)>$/$1/;
for ($mailbox, @to) { exit 64 unless /\A[\x21-\x7e]*\z/ && !/[<>]/ }
exit 64 unless @to;

binmode STDIN;
my $header = '';
while (defined(my $line = <STDIN>)) {
  $header .= $line;
  last if $line =~ /\A\r?\n\z/;
}

# The address in From; empty if it is ambiguous.
sub sender_of {
  my ($text) = @_;
  return '' if $text =~ /\0|\r(?!\n)/;
  $text =~ s/\r?\n(?=[ \t])//g;
  my @fields = $text =~ /^From[ \t]*:[ \t]*(.*?)[ \t\r]*$/gim;
  my $name = qr/"(?:[^"\\]|\\.)*"|[^"<>\@(),:;\\\[\]]*/;
  my $address = qr/[^\s"<>\@(),:;\\\[\]\x80-\xff]+\@[a-z0-9.-]+/i;
  return @fields == 1 && $fields[0] =~ /\A(?:(?:$name)[ \t]*<($address)>|($address))\z/ ? lc($1 // $2) : '';
}
sub without_detail { my $address = lc shift; $address =~ s/\+[^\@]*//; $address }

# If the panel is down, only responses from the mailbox itself are sent.
my $sender = sender_of($header);
my $decided = eval {
  local @SIG{'ALRM', 'PIPE'} = (sub { die "late\n" }, 'IGNORE');
  alarm 5;
  my $panel = $mailbox ne '' && IO::Socket::UNIX->new('/var/lib/panel-0123456789ab/mail/run/reply-limits/replies.sock') or return '';
  $panel->autoflush(1);
  print $panel "mailbox=$mailbox\nsender=$sender\n\n";
  <$panel>;
} || (without_detail($sender) eq without_detail($mailbox) ? 'action=DUNNO' : 'action=DISCARD');
if ($decided =~ /^action=DISCARD/) {
  1 while <STDIN>;
  exit 0;
}

alarm 60;
my $server = IO::Socket::UNIX->new('/var/lib/panel-0123456789ab/mail/queue/public/reply') or exit 75;
$server->autoflush(1);

sub say_and_expect {
  my ($line, $code) = @_;
  print $server "$line\r\n" if defined $line;
  while (defined(my $answer = <$server>)) {
    next if $answer =~ /^\d{3}-/;
    return if $answer =~ /^$code/;
    print STDERR $answer;
    exit($answer =~ /^5/ ? 69 : 75);
  }
  exit 75;
}

sub write_line {
  my ($line) = @_;
  $line =~ s/\r?\n$//;
  $line =~ s/^\./../;
  print $server "$line\r\n";
}

say_and_expect(undef, 2);
say_and_expect('EHLO localhost', 2);
say_and_expect('MAIL FROM:<>', 2);
say_and_expect("RCPT TO:<$_>", 2) for @to;
say_and_expect('DATA', 3);
write_line($_) for split /^/, $header;
while (defined(my $line = <STDIN>)) { write_line($line) }
say_and_expect('.', 2);
say_and_expect('QUIT', 2);
