import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startWorker } from '../src/worker.ts'
import { createCertificateEnvironment } from './support/certificates.ts'
import type { TestPanel } from './support/panel.ts'
import { eventually } from './support/eventually.ts'

const environment = createCertificateEnvironment()
const { now, newDomain, requestAction, row, set, dropJobs, provision } = environment
let panel: TestPanel
beforeAll(async () => {
  ;({ panel } = await environment.start())
})
afterAll(() => environment.close())
beforeEach(() => environment.reset())

test('the worker does everything', async () => {
  // The job exists before the worker starts, so only its end is awaited.
  const { id } = await newDomain()
  await requestAction(id, 'provision')
  const due = await newDomain()
  const { serialNumber } = await provision(due.id)
  await set(due.id, { renewAt: now() })
  await dropJobs('certificates.alert')
  const worker = await startWorker(panel.deps, panel.databaseUrl)
  try {
    await eventually(async () => {
      expect((await row(id)).status).toBe('ACTIVE')
      expect(await row(due.id)).toMatchObject({
        status: 'ACTIVE',
        serialNumber: expect.not.stringMatching(serialNumber!)
      })
    })
  } finally {
    await worker.stop()
  }
})
