/** What to do about a part of the server that does not answer. */
export const remedyTexts = {
  RUN_UP: 'Run ./panel up, which starts it',
  RUN_UP_OR_ASK: 'Run ./panel up, which starts it; ./panel doctor says more',
  RUN_UP_OR_CHECK_SERVER: 'Run ./panel up, which starts it, or check {{setting}}; ./panel doctor says more',
  RUN_UP_OR_CHECK_SFTP: 'Run ./panel up, which starts it, or check the SSH server on SFTP_PORT',
  RUN_UP_UNFILTERED: 'Run ./panel up, which starts it; mail goes on unfiltered meanwhile',
  RUN_UP_UNLEARNED: 'Run ./panel up, which starts it; mail goes on meanwhile, and nothing is learned or put off',
  RUN_UP_UNFORWARDED:
    'Run ./panel up, which starts it; mail that is forwarded to other servers waits in the queue meanwhile',
  START_ENGINE: 'Start the container engine, or run ./panel up; check DOCKER_SOCKET',
  CHECK_STORE: 'Check DATABASE_URL and that the server runs',
  CHECK_SESSION_STORE: 'Check REDIS_URL and that the server runs; sign-ins go on from the database meanwhile',
  INSTALL_GIT: 'Install git',
  MAKE_ROOM_ON_DISK:
    'The disk is full: nothing is written for accounts until there is room. Remove files, images or databases, or add disk',
  CHECK_PROJECTS_DIR:
    'Give the folder of PROJECTS_DIR to root, below folders that only root can write to (not /tmp), and restart the panel',
  TURN_ON_MAIL: 'Set MAIL=on and restart the panel',
  TURN_ON_SPAM_FILTER: 'Set MAIL_SPAM_FILTER=on and restart the panel',
  TURN_ON_WEBMAIL: 'Set PANEL_DOMAIN, MAIL=on and WEBMAIL=on, and restart the panel',
  SET_MAILER: 'Set MAIL=on or SMTP_URL, and restart the panel',
  ALLOW_HELPER: 'Put deploy/sudoers in place, or run the panel as root',
  TRY_AGAIN: 'Try again; if it stays so, restart the panel',
  RESTART_WORKER: 'systemd starts it again (deploy/panel.service); else run ./panel up'
} as const
export type RemedyCode = keyof typeof remedyTexts
