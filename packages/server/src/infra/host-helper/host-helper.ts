/** A project's directory under its name. `id` is the panel's own, `name` matches ProjectName of the contract. */
export interface ProjectDirectory {
  id: string
  name: string
}

/**
 * The few operations that need root, as a closed list of verbs. In the panel's own process when that is root, else by `sudo` as a program of its
 * own; both check every value again. Every verb is bounded in time and safe to repeat. Rejects with AdapterError
 * project-directories-unavailable or sftp-unavailable, with the remedy, where the machine does not allow it.
 *
 * Below PROJECTS_DIR: `u/<uid>/` (root's, the chroot of the account) holds `u/<uid>/<name>/` (the account's own), and `by-id/<projectId>`
 * is a link to that, for whoever must find it by whatever name.
 */
export interface HostHelper {
  /**
   * Makes the directories that are missing and renames those whose name has changed, also when two have swapped names. What belongs to
   * none of these projects stays, out of the way where it has the name of one.
   */
  syncProjects(uid: number, projects: readonly ProjectDirectory[]): Promise<void>
  /** Removes a project's directory and all that is in it; nobody reaches it any more when it begins. */
  removeProject(uid: number, id: string): Promise<void>
  /**
   * Puts the directory at `staged` (below PROJECTS_DIR/staging) in the place of the project's; the previous one goes to `previous`, there too.
   * Repeating it after the swap changes nothing.
   */
  replaceProject(uid: number, id: string, staged: string, previous: string): Promise<void>

  /** Makes the system account for the uid, in the group that sshd confines; without a password and locked. */
  createAccount(username: string, uid: number): Promise<void>
  setPassword(username: string, password: string): Promise<void>
  /** The whole list of its public keys, each `type base64 comment`. */
  setKeys(username: string, keys: readonly string[]): Promise<void>
  /** Refuses password and keys, and ends its sessions; not its containers, which have the same uid. */
  lockAccount(username: string): Promise<void>
  unlockAccount(username: string): Promise<void>
  /** Ends its sessions and removes it. Its files stay. */
  removeAccount(username: string): Promise<void>
  /** The accounts of the group that there are on this machine. */
  listAccounts(): Promise<readonly string[]>
  /** Ends the newest sessions of each account that has more than so many. Resolves with how many were ended. */
  boundSessions(limit: number): Promise<number>
}
