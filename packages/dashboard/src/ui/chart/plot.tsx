import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { useI18n } from '../../i18n/i18n.tsx'
import type { ChartProps } from './chart.tsx'
import { lonely } from './series.ts'

interface Zone {
  locale: string
  timeZone: string
}
type PlotProps = Omit<ChartProps, 'title'> & { onPoint(at: number | null): void }

const height = 180
const dayInSeconds = 86_400
const stepsOfMemory = Array.from({ length: 50 }, (_, power) => 2 ** power)

/** The canvas has no CSS variables, so a theme change creates a new plot. */
export function Plot({ span, times, lines, format, max, isBytes, threshold, onPoint }: PlotProps) {
  const { locale, timeZone } = useI18n()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current!
    const draw = () => {
      const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim()
      const axis = {
        stroke: colour('--muted'),
        grid: { stroke: colour('--line'), width: 1 },
        ticks: { show: false },
        font: '11px sans-serif'
      }
      const top = Math.max(threshold?.value ?? 0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)))
      const options: uPlot.Options = {
        width: element.clientWidth,
        height,
        padding: [8, 8, 0, 0],
        legend: { show: false },
        tzDate: (seconds) => dateIn(timeZone, seconds),
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
        scales: { x: { range: [span.from, span.to] }, y: { range: [0, max ?? Math.max(top * 1.1, 1)] } },
        axes: [
          {
            ...axis,
            size: 30,
            gap: 10,
            space: 72,
            values: (_plot, at, _axis, _space, step) => timesIn({ locale, timeZone }, at, step)
          },
          {
            ...axis,
            size: 60,
            space: 36,
            values: (_plot, at) => at.map(format),
            ...(isBytes && { incrs: stepsOfMemory })
          }
        ],
        series: [
          {},
          ...lines.map(({ label, token, values }) => ({
            label,
            stroke: colour(token),
            width: 1.5,
            spanGaps: false,
            points: { show: true, size: 4, width: 0, fill: colour(token), filter: () => lonely(values) }
          }))
        ],
        hooks: {
          setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)],
          ...(threshold && { draw: [(plot) => drawThreshold(plot, threshold.value, colour('--warn'))] })
        }
      }
      return new uPlot(options, [[...times], ...lines.map(({ values }) => [...values])], element)
    }
    let plot = draw()
    const theme = new MutationObserver(() => {
      plot.destroy()
      plot = draw()
    })
    theme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    const size = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    size.observe(element)
    return () => {
      size.disconnect()
      theme.disconnect()
      plot.destroy()
    }
  }, [span, times, lines, format, max, isBytes, threshold, locale, timeZone, onPoint])
  return <div ref={box} />
}

/** Dates at day steps and at midnight, times otherwise. */
function timesIn({ locale, timeZone }: Zone, at: readonly number[], step: number): string[] {
  const time = new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' })
  const day = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short' })
  return at.map((seconds) => {
    const wall = dateIn(timeZone, seconds)
    const isDay = step >= dayInSeconds || (wall.getHours() === 0 && wall.getMinutes() === 0)
    return (isDay ? day : time).format(new Date(seconds * 1_000))
  })
}

/** Ticks fall on hours and days of the user’s time zone. */
const dateIn = (timeZone: string, seconds: number): Date => uPlot.tzDate(new Date(seconds * 1_000), timeZone)

function drawThreshold({ ctx, bbox, valToPos }: uPlot, value: number, colour: string): void {
  const y = valToPos(value, 'y', true)
  ctx.save()
  ctx.strokeStyle = colour
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio])
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.restore()
}
