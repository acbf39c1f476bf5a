export const remedyTexts = {
  RUN_UP: 'Run ./panel up to start it',
  RUN_UP_OR_ASK: 'Run ./panel up to start it; run ./panel doctor for details',
  RUN_UP_OR_CHECK_SERVER: 'Run ./panel up to start it, or check {{setting}}; run ./panel doctor for details',
  RUN_UP_OR_CHECK_SFTP: 'Run ./panel up to start it, or check the SSH server on SFTP_PORT',
  RUN_UP_UNFILTERED: 'Run ./panel up to start it; mail is delivered unfiltered until then',
  RUN_UP_UNLEARNED: 'Run ./panel up to start it; until then mail is delivered without spam learning and greylisting',
  RUN_UP_UNFORWARDED: 'Run ./panel up to start it; mail forwarded to other servers waits in the queue until then',
  START_ENGINE: 'Start the container engine, or run ./panel up; check DOCKER_SOCKET',
  CHECK_STORE: 'Check DATABASE_URL and that the server is running',
  CHECK_SESSION_STORE: 'Check REDIS_URL and that the server is running; sessions use the database until then',
  INSTALL_GIT: 'Install git',
  MAKE_ROOM_ON_DISK:
    'The disk is full: accounts cannot write until there is space. Delete files, images or databases, or add disk space',
  CHECK_NFTABLES: 'Run the panel as root, and install nftables; run ./panel doctor for details',
  CHECK_PROJECTS_DIR:
    'Make the directory PROJECTS_DIR owned by root, inside directories that only root can write to (not /tmp), and restart the panel',
  TURN_ON_MAIL: 'Set MAIL=on and restart the panel',
  TURN_ON_SPAM_FILTER: 'Set MAIL_SPAM_FILTER=on and restart the panel',
  TURN_ON_WEBMAIL: 'Set PANEL_DOMAIN, MAIL=on and WEBMAIL=on, and restart the panel',
  SET_MAILER: 'Set MAIL=on or SMTP_URL, and restart the panel',
  ALLOW_HELPER: 'Install deploy/sudoers, or run the panel as root',
  TRY_AGAIN: 'Try again; if the problem persists, restart the panel',
  RESTART_WORKER: 'systemd restarts it (deploy/panel.service); otherwise run ./panel up'
} as const
export type RemedyCode = keyof typeof remedyTexts
