export interface ExecuteOptions {
  command: readonly string[]
  /** Standard input. Secrets belong here, never into `command`. */
  input: string
  timeoutMs: number
  maxOutputBytes: number
  signal?: AbortSignal
}

export interface Executed {
  /** Null if it was killed or is unknown. */
  exitCode: number | null
  stdout: string
  /** At most 64 KiB. */
  stderr: string
}

export interface HttpProbe {
  path: string
  /** Hostname of the request; applications may refuse others. */
  hostname: string
  timeoutMs: number
  signal: AbortSignal
}

export interface PageRequest extends HttpProbe {
  headers: Readonly<Record<string, string>>
  /** The rest of a longer body is not read. */
  maxBytes: number
}

export interface FoundPage {
  status: number
  body: string
}
