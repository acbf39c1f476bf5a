import { feature } from '../feature.ts'
import { heldMail } from './mail-queue.attention.ts'
import { mailQueueFigures } from './mail-queue.figures.ts'
import { mailQueueRoutes } from './mail-queue.routes.ts'
import { requireQueueId } from './mail-queue.service.ts'

export const mailQueue = feature({
  name: 'mail-queue',
  attention: [heldMail],
  routes: [mailQueueRoutes],
  figures: [mailQueueFigures],
  owners: { '/api/mail/queue/:queueId': async (_deps, _userId, { queueId }) => requireQueueId(queueId!) }
})
