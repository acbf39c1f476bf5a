import { describeAcme } from '../../../test/contracts/acme.contract.ts'
import { createMemoryAcme } from '../../../test/fakes/memory-acme.ts'
import { makeCertificate } from '../../../test/fixtures/certificate.fixture.ts'

describeAcme('in memory', async () => ({
  authority: createMemoryAcme((hostnames) => makeCertificate('test', hostnames)),
  publish: async () => {},
  unpublish: async () => {},
  close: async () => {}
}))
