import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeHostHelper } from '../../../test/contracts/host-helper.contract.ts'
import { createMemoryHostHelper } from '../../../test/fakes/memory-host-helper.ts'

// The real one: e2e/system/host-helper.test.ts, as root.
describeHostHelper('accounts in memory', async () => {
  const projectsDirectory = await mkdtemp(join(tmpdir(), 'panel-host-helper-'))
  return {
    helper: createMemoryHostHelper(projectsDirectory),
    projectsDirectory,
    uid: 20_001,
    username: 'vsftp_someone',
    close: () => rm(projectsDirectory, { recursive: true, force: true })
  }
})
