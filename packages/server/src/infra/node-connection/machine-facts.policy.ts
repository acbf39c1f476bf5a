export interface MachineFacts {
  address: string | null
  system: string
  isDebian: boolean
  processors: number
  memory: { totalBytes: number; usedBytes: number }
  disk: { totalBytes: number; usedBytes: number }
  /** 0 if it is smaller than the time that the question took. */
  clockSkewMs: number
}

const supported = ['debian 12', 'debian 13']

/** `before` and `after` the question, by our clock. */
export function parseMachineFacts(text: string, { before, after }: { before: number; after: number }): MachineFacts {
  const values = new Map(
    text.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  )
  const number = (name: string): number => {
    const value = Number(values.get(name) || Number.NaN)
    if (!Number.isFinite(value)) throw new RangeError(`The machine did not report ${name}`)
    return value
  }
  const [size = 0, used = 0, free = 0] = (values.get('disk') ?? '').split(' ').map((part) => Number(part) || 0)
  const skew = Math.round(number('time') - (before + after) / 2)
  const totalBytes = number('MemTotal') * 1024
  return {
    address: values.get('address')?.split(' ', 1)[0] || null,
    system: (values.get('system') ?? '').slice(0, 100),
    isDebian: supported.includes(values.get('release') ?? ''),
    processors: number('processors'),
    memory: { totalBytes, usedBytes: totalBytes - number('MemAvailable') * 1024 },
    // Without the blocks that only root can use.
    disk: { totalBytes: used + free || size, usedBytes: used },
    clockSkewMs: Math.abs(skew) <= (after - before) / 2 ? 0 : skew
  }
}
