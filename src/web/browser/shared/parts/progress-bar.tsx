/** How far something is, as a bar. `value` runs from 0 to 1; without one the bar says only that something goes on. */
export function ProgressBar({
  value,
  label,
}: {
  readonly value?: number | undefined;
  readonly label: string;
}) {
  return (
    <progress
      class="bar"
      aria-label={label}
      max={100}
      {...(value !== undefined && { value: Math.round(value * 100) })}
    />
  );
}
