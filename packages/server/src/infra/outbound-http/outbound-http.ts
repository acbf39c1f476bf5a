export interface OutboundRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** HTTP client for URLs that users configure, for example webhooks. */
export interface OutboundHttp {
  /**
   * Resolves with the status, whatever it is, and the beginning of the body. Rejects with OutboundFailure if the
   * request was not sent or got no response. Does not follow redirects.
   */
  post(request: OutboundRequest): Promise<{ status: number; text: string }>
}

/** The message is shown to whoever configured the URL and does not reveal IP addresses. */
export class OutboundFailure extends Error {
  /** A retry would fail the same way. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false }: { isFinal?: boolean } = {}) {
    super(message)
    this.name = 'OutboundFailure'
    this.isFinal = isFinal
  }
}
