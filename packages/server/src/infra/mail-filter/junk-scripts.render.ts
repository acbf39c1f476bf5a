import type { MailPaths } from '../mail-server/mail-paths.ts'

/** Files spam into Junk. The header can only come from our filter: Postfix removes it from incoming mail. */
export const junkScript = `# Written by the panel.
require ["fileinto", "mailbox"];
if header :is "X-Spam" "Yes" {
  fileinto :create "Junk";
}
`

const learnScript = (kind: 'spam' | 'ham', unless = '') => `# Written by the panel.
require ["vnd.dovecot.pipe", "copy", "imapsieve", "environment", "variables"];
${unless}if environment :matches "imap.user" "*" {
  pipe :copy "learn" [ "${kind}", "\${1}" ];
}
`

export const learnSpamScript = learnScript('spam')

/** Spam that is deleted from Junk stays spam. */
export const learnHamScript = learnScript(
  'ham',
  `if environment :is "imap.mailbox" "Trash" {
  stop;
}
`
)

/** Program that Dovecot runs for a moved message: trains the filter for the domain of the mailbox. */
export const renderLearn = ({ filter }: Pick<MailPaths, 'filter'>): string => `#!/usr/bin/perl
# Written by the panel.
use strict;
use warnings;
use IO::Socket::UNIX;

my ($kind, $user) = @ARGV;
exit 64 unless defined $user && $kind =~ /^(?:spam|ham)\\z/ && $user =~ /^[a-z0-9._-]+\\@[a-z0-9.-]+\\z/;

binmode STDIN;
my $message = do { local $/; <STDIN> } // '';
alarm 20;
# Best effort: a failure must not prevent moving the message.
my $filter = IO::Socket::UNIX->new('${filter.learn}') or exit 0;
$filter->autoflush(1);
print $filter "POST /learn$kind HTTP/1.0\\r\\nDeliver-To: $user\\r\\nContent-Length: " . length($message) . "\\r\\n\\r\\n";
print $filter $message;
my $answer = <$filter>;
exit 0;
`
