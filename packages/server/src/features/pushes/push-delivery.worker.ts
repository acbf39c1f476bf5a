// For large deliveries: parsing untrusted JSON must not block the event loop.
import { serveRequests } from '../../infra/worker-thread/serve-requests.mjs'
import type { PushDelivery } from './delivery-reading.service.ts'
import { readDelivery, type ReadDelivery } from './push-event.policy.ts'

serveRequests(({ secret, headers, rawBody }: PushDelivery): { answer: ReadDelivery } => ({
  answer: readDelivery(secret, headers, rawBody)
}))
