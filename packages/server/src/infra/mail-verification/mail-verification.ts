import type { DeliveryTestAnswer } from '@panel/contract/delivery-tests'

/** Looks at a message that this server has just taken from another: by its own first header, and by the DNS. */
export type VerifyMail = (message: Buffer, sender: string) => Promise<DeliveryTestAnswer>
