export const remedyTexts = {
  RUN_UP: 'Restart the panel on the server to start it',
  RUN_UP_OR_ASK: 'Restart the panel on the server to start it; the server log has the details',
  RUN_UP_OR_CHECK_SERVER:
    'Restart the panel on the server to start it, or check the external server in Settings → Files and databases; the server log has the details',
  RUN_UP_OR_CHECK_SFTP:
    'Restart the panel on the server to start it, or check the SSH server on the SFTP port in Settings → Files and databases',
  RUN_UP_UNFILTERED: 'Restart the panel on the server to start it; mail is delivered unfiltered until then',
  RUN_UP_UNLEARNED:
    'Restart the panel on the server to start it; until then mail is delivered without spam learning and greylisting',
  RUN_UP_UNFORWARDED:
    'Restart the panel on the server to start it; mail forwarded to other servers waits in the queue until then',
  PORT_IN_USE:
    'Another program on the server uses port {{ports}}. Stop it, or choose another port in Settings; this part starts on its own once the port is free',
  START_ENGINE:
    'Start the container engine on the server, or restart the panel; check the Docker socket in Settings → Containers',
  CHECK_STORE: 'Check that the panel database is running and that this server can reach it',
  CHECK_SESSION_STORE:
    'Check that Redis is running, and the session store in Settings → Server; sessions use the panel database until then',
  INSTALL_GIT: 'Install Git',
  MAKE_ROOM_ON_DISK:
    'The disk is full: accounts cannot write until there is space. Clean up on the disk page, delete files or databases, or add disk space',
  CHECK_NFTABLES: 'Run the panel as root and install nftables on the server',
  CHECK_PROJECTS_DIR:
    'Make root the owner of the directory of project files and of those above it, let only root write to them, and restart the panel; Settings → Files and databases shows which directory it is',
  TURN_ON_MAIL: 'Enable the mail server in Settings → Email',
  TURN_ON_SPAM_FILTER: 'Enable the spam filter in Settings → Email',
  TURN_ON_WEBMAIL:
    'Set the panel domain in Settings → Domains and addresses, and enable the mail server and webmail in Settings → Email',
  SET_MAILER: 'Enable the mail server, or set an SMTP relay, in Settings → Email',
  ALLOW_HELPER: 'Install the sudo rules that come with the panel on the server, or run the panel as root',
  CHECK_MACHINE: 'Check the machine under Machines',
  TRY_AGAIN: 'Try again; if the problem persists, restart the panel',
  RESTART_WORKER: 'It normally restarts automatically; otherwise restart the panel on the server'
} as const
export type RemedyCode = keyof typeof remedyTexts
