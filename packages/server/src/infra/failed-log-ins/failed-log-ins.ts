export interface FailedLogIn {
  service: 'SSH' | 'SFTP' | 'SMTP' | 'IMAP'
  /** The client's address, as the program logged it. */
  address: string
  /** Tells guesses apart: repeats of one guess, by a phone with an old password say, count once. */
  guess?: string
}

type Listener = (failure: FailedLogIn) => void

/** Failed sign-ins at the programs of this machine. Those of the panel itself are events (features/sessions). */
export interface FailedLogIns {
  /** For programs that ask the panel about each sign-in: the mail servers. */
  report(failure: FailedLogIn): void
  /** Also reads what sshd logs, from now on, until the signal fires. */
  follow(listener: Listener, signal: AbortSignal): void
}
