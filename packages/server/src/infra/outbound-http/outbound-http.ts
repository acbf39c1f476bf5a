export interface OutboundRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** Asks services on the Internet that people name. */
export interface OutboundHttp {
  /**
   * Resolves with what was answered, whatever its status, and with the beginning of its text. Rejects with an OutboundFailure where nobody was
   * asked or nobody answered. Redirects are not followed.
   */
  post(request: OutboundRequest): Promise<{ status: number; text: string }>
}

/** Its message is for whoever named the service, and tells nothing of the address. */
export class OutboundFailure extends Error {
  /** It would be the same the next time. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false }: { isFinal?: boolean } = {}) {
    super(message)
    this.name = 'OutboundFailure'
    this.isFinal = isFinal
  }
}
