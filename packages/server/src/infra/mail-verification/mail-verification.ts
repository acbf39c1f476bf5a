import type { DeliveryTestAnswer } from '@panel/contract/delivery-tests'

/** Checks SPF, DKIM, DMARC and TLS of a message that this server received, using its first Received header and DNS. */
export type VerifyMail = (message: Buffer, sender: string) => Promise<DeliveryTestAnswer>
