interface Pause {
  for(ms: number): Promise<void>
  wake(): void
}

export function createPause(): Pause {
  let end = () => {}
  return {
    for: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => end(), ms)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    wake: () => end()
  }
}
