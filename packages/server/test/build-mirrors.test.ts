import type { Deployment } from '@panel/contract/deployments'
import { expect, test } from 'vitest'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import { BuildError, type BuildTask } from '../src/infra/image-builder/image-builder.ts'
import { createTestPanel } from './support/panel.ts'

test('mirror and proxy passwords are masked in build logs', async () => {
  const build = async ({ onLog }: BuildTask) => {
    onLog('registry https://robot:npm-pass-word@npm.example.com/ asked\n')
    onLog(
      `//npm.example.com/:_auth=${btoa('robot:npm-pass-word')}\nindex https://robot:pip-pass-word@pip.example.com/\n`
    )
    onLog('HTTP_PROXY=http://robot:proxy%40word@proxy.example.com:3128 proxy@word\n')
    throw new BuildError('as it was told: proxy@word')
  }
  const panel = await createTestPanel(
    {
      NPM_REGISTRY: 'https://robot:npm-pass-word@npm.example.com/',
      PIP_INDEX_URL: 'https://robot:pip-pass-word@pip.example.com/simple',
      BUILD_PROXY: 'http://robot:proxy%40word@proxy.example.com:3128'
    },
    { builder: { build, detect: () => Promise.reject(new Error('nothing asks here')) } }
  )
  try {
    const ann = await panel.signUp('ann')
    const { id } = await ann.createProject({ gitUrl: 'https://github.com/owner/repository' })
    const queued = (await ann.request('POST', `/api/projects/${id}/build`)).json<Deployment>()
    await runQueue(
      panel.deps,
      {
        lease: { workerId: 1 },
        signal: new AbortController().signal,
        buildNetworks: { acquire: async () => ({ name: 'n', release: async () => {} }) }
      },
      'build'
    )
    const { buildLogs } = (await ann.request('GET', `/api/projects/${id}/deployments/${queued.id}`)).json<Deployment>()
    expect(buildLogs).toContain('registry https://')
    expect(buildLogs).toContain('npm.example.com/ asked')
    expect(buildLogs).toContain('FAILED: as it was told: ')
    expect(buildLogs).not.toMatch(/pass-word|proxy.{1,3}word/)
    expect(buildLogs).not.toContain(btoa('robot:npm-pass-word'))
  } finally {
    await panel.close()
  }
})
