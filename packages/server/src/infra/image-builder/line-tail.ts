const maxLineLength = 500

export function createLineTail(count: number): { add: (text: string) => void; lines: () => readonly string[] } {
  let kept: string[] = []
  let open = ''
  return {
    add(text) {
      const lines = `${open}${text}`.split('\n')
      open = lines.pop()!.slice(-maxLineLength)
      kept = [...kept, ...lines.slice(-count).map((line) => line.slice(0, maxLineLength))].slice(-count)
    },
    lines: () => (open === '' ? kept : [...kept, open].slice(-count))
  }
}
