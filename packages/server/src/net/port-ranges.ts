/** Ports as people write them: three or more in a row as `<first>-<last>`. */
export function portRanges(ports: readonly number[]): string[] {
  const runs: [first: number, last: number][] = []
  for (const port of ports) {
    const run = runs.at(-1)
    if (run?.[1] === port - 1) run[1] = port
    else runs.push([port, port])
  }
  return runs.flatMap(([first, last]) =>
    last - first < 2 ? [...new Set([first, last])].map(String) : [`${first}-${last}`]
  )
}
