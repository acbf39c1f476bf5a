// Deliveries of many megabytes: what their JSON holds is their sender's choice.
import { serveRequests } from '../../infra/worker-thread/serve-requests.mjs'
import type { PushDelivery } from './delivery-reading.service.ts'
import { readDelivery, type ReadDelivery } from './push-event.policy.ts'

serveRequests(({ secret, headers, rawBody }: PushDelivery): { answer: ReadDelivery } => ({
  answer: readDelivery(secret, headers, rawBody)
}))
