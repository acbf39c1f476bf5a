/** What to do about a component that is unavailable. */
export const remedyTexts = {
  RUN_UP: 'Restart the panel to start it',
  RUN_UP_OR_ASK: 'Restart the panel to start it. Run ./panel doctor on the server to see the cause',
  RUN_UP_OR_CHECK_SERVER:
    'Restart the panel to start it, or check {{setting}}. Run ./panel doctor on the server to see the cause',
  RUN_UP_OR_CHECK_SFTP: 'Restart the panel to start it, or check the SSH server on the SFTP port',
  RUN_UP_UNFILTERED: 'Restart the panel to start it. Mail is delivered unfiltered',
  RUN_UP_UNLEARNED: 'Restart the panel to start it. Mail is delivered, but nothing is learned or greylisted',
  RUN_UP_UNFORWARDED: 'Restart the panel to start it. Forwarded mail stays in the queue',
  START_ENGINE: 'Start the container engine, or restart the panel',
  CHECK_STORE: 'Check that the panel’s database server is running and its address is correct',
  CHECK_SESSION_STORE: 'Check that Redis is running and its address is correct. Sign-ins use the database instead',
  INSTALL_GIT: 'Install git on the server',
  MAKE_ROOM_ON_DISK:
    'The disk is full, so accounts cannot write. Delete files, images or databases, or add disk space',
  CHECK_PROJECTS_DIR:
    'The directory of project files must belong to root, below directories that only root can write to (not /tmp). Then restart the panel',
  TURN_ON_MAIL: 'Turn on the mail server under Settings → Email',
  TURN_ON_SPAM_FILTER: 'Turn on the spam filter under Settings → Email',
  TURN_ON_WEBMAIL:
    'Set the panel domain under Settings → Domains and addresses, and turn on the mail server and webmail under Settings → Email',
  SET_MAILER: 'Set the SMTP relay under Settings → Email',
  ALLOW_HELPER: 'Install the sudoers rule of the release, or run the panel as root',
  TRY_AGAIN: 'Try again. If it persists, restart the panel',
  RESTART_WORKER: 'It restarts automatically. If it persists, restart the panel on the server'
} as const
export type RemedyCode = keyof typeof remedyTexts
