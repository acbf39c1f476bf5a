/** The latest release. */
export interface Release {
  version: string
  /** Release page. */
  url: string
  /** Whether it fixes a security vulnerability. */
  security: boolean
}

export interface UpdateFeed {
  /** Rejects on timeout or on an invalid response. */
  read(url: string): Promise<Release>
}
