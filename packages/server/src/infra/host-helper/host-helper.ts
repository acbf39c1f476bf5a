/** Of a project, or of a volume, which is a directory of its own beside the project's. */
export interface ProjectDirectory {
  id: string
  name: string
}

/**
 * The operations that need root, as a closed list of verbs. Runs in the panel's process if that is root, otherwise
 * through `sudo`; both validate every argument again. Every verb is bounded in time and idempotent. Rejects with
 * AdapterError project-directories-unavailable or sftp-unavailable and a remedy if the machine does not allow it.
 * Below PROJECTS_DIR: `u/<uid>/` (root's, the account's chroot) contains `u/<uid>/<name>/` (owned by the account);
 * `by-id/<projectId>` is a link to it that survives renames.
 */
export interface HostHelper {
  /** Version of the panel that the helper belongs to. */
  readVersion(): Promise<string>
  /** Creates missing and renames changed directories, even swapped ones. Moves others aside if in the way. */
  syncProjects(uid: number, projects: readonly ProjectDirectory[]): Promise<void>
  /** Removes a project's directory; it is out of reach before the removal starts. */
  removeProject(uid: number, id: string): Promise<void>
  /** Puts `staged` (below PROJECTS_DIR/staging) in place and the old directory at `previous`. Idempotent. */
  replaceProject(uid: number, id: string, staged: string, previous: string): Promise<void>

  /** Creates the system account, locked and without a password, in the group that sshd confines. */
  createAccount(username: string, uid: number): Promise<void>
  setPassword(username: string, password: string): Promise<void>
  setKeys(username: string, keys: readonly string[]): Promise<void>
  /** Rejects password and keys and ends SFTP sessions; containers with the same uid keep running. */
  lockAccount(username: string): Promise<void>
  unlockAccount(username: string): Promise<void>
  removeAccount(username: string): Promise<void>
  listAccounts(): Promise<readonly string[]>
  /** Ends the latest sessions of each account above the limit. Resolves with the number of ended sessions. */
  boundSessions(limit: number): Promise<number>
}
