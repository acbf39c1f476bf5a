#!/usr/bin/perl
# Written by the panel.
use strict;
use warnings;
use IO::Socket::UNIX;

my ($from, @to) = ('');
while (defined(my $word = shift)) {
  if ($word eq '-f') { $from = shift // '' }
  elsif ($word eq '--') { @to = @ARGV; last }
}
$from =~ s/^<(.*)>$/$1/;
for ($from, @to) { exit 64 unless /\A[\x21-\x7e]*\z/ && !/[<>]/ }
exit 64 unless @to;

# Without the panel it may.
my $decided = eval {
  local @SIG{'ALRM', 'PIPE'} = (sub { die "late\n" }, 'IGNORE');
  alarm 5;
  my $panel = $from ne '' && IO::Socket::UNIX->new('/var/lib/panel-0123456789ab/mail/run/reply-limits/replies.sock') or return '';
  $panel->autoflush(1);
  print $panel "mailbox=$from\n\n";
  <$panel>;
};
if (($decided // '') =~ /^action=DISCARD/) {
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

say_and_expect(undef, 2);
say_and_expect('EHLO localhost', 2);
say_and_expect('MAIL FROM:<>', 2);
say_and_expect("RCPT TO:<$_>", 2) for @to;
say_and_expect('DATA', 3);
while (my $line = <STDIN>) {
  $line =~ s/\r?\n$//;
  $line =~ s/^\./../;
  print $server "$line\r\n";
}
say_and_expect('.', 2);
say_and_expect('QUIT', 2);
