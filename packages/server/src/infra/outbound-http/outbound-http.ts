export interface OutboundRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

export interface OutboundHttp {
  /** Rejects with OutboundFailure if the request was not sent or got no response. Does not follow redirects. */
  post(request: OutboundRequest): Promise<{ status: number; text: string }>
}

/** The message is shown to the user who configured the URL and does not reveal IP addresses. */
export class OutboundFailure extends Error {
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false }: { isFinal?: boolean } = {}) {
    super(message)
    this.name = 'OutboundFailure'
    this.isFinal = isFinal
  }
}
