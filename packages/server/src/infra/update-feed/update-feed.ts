/** What a feed says of the newest release. */
export interface Release {
  version: string
  /** Of a page about it. */
  url: string
  /** Whether it mends a flaw of security. */
  security: boolean
}

export interface UpdateFeed {
  /** Rejects where the feed does not answer in time, or with something else. */
  read(url: string): Promise<Release>
}
