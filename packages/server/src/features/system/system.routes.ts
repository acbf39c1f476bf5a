import { Health } from '@panel/contract/system'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess } from '../../http/access.ts'
import { healthOf } from './health.service.ts'

export function systemRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/health',
    {
      config: { access: publicAccess, admission: 'free' },
      schema: {
        tags: ['System'],
        operationId: 'getHealth',
        summary: 'Get the health of the API and its components',
        description:
          'Requires no sign-in; answers 200 while the API is available. Each component has its state, and a remedy if it is not responding. `status` is `starting` while `./panel up` starts its programs.',
        response: { 200: Health }
      }
    },
    async () => healthOf(deps)
  )
}
