import { execFileSync } from 'node:child_process'

/** `./panel test` has installed and started what these tests need; run alone, they say so instead of failing one by one. */
export default function setup(): void {
  try {
    execFileSync('/usr/bin/docker', ['version'], { stdio: 'ignore', timeout: 20_000 })
  } catch {
    throw new Error(
      'The container engine is not running. The end-to-end tests are started by: ./panel test --project e2e'
    )
  }
}
