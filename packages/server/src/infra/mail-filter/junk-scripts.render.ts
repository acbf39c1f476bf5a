import type { MailPaths } from '../mail-server/mail-paths.ts'

/** What is found to be spam lies in Junk. The filter's word comes from no one else: Postfix takes away what others have said. */
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

/** What is thrown away out of Junk is spam no less. */
export const learnHamScript = learnScript(
  'ham',
  `if environment :is "imap.mailbox" "Trash" {
  stop;
}
`
)

/** The program that Dovecot starts with a message that was moved: tells the filter, by its socket, for the domain of the mailbox. */
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
# What cannot be learned now is not: a message is moved all the same.
my $filter = IO::Socket::UNIX->new('${filter.learn}') or exit 0;
$filter->autoflush(1);
print $filter "POST /learn$kind HTTP/1.0\\r\\nDeliver-To: $user\\r\\nContent-Length: " . length($message) . "\\r\\n\\r\\n";
print $filter $message;
my $answer = <$filter>;
exit 0;
`
