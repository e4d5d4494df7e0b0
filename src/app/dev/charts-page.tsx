import { formatBytes, formatCount, formatTook } from "../format.ts";
import { Bars } from "../ui/bars.tsx";
import { Figures } from "../ui/figures.tsx";
import { Multiples, Spark } from "../ui/multiples.tsx";
import { Quota, Quotas } from "../ui/quota.tsx";

const DAYS = Array.from({ length: 20 }, (_, index) => index + 1);
const wave = (seed: number) => DAYS.map((day) => (day % 7 < 2 ? 0.08 : 1) * (40 + ((day * seed) % 17)));
const LONG = "a-project-whose-name-has-the-greatest-length-that-there-is-63-ch";

export function ChartsPage() {
  return (
    <>
      <h1>Charts</h1>
      <Figures
        figures={[
          { label: "Builds", figure: "46", note: "39 succeeded, 3 failed, 1 canceled" },
          { label: "Saved by the cache", figure: "2h 51m", note: "of 3h 29m without it" },
          { label: "Median build", figure: "26.0s", note: "4.1s faster than the last 7 days" },
        ]}
      />
      <Quotas>
        <Quota
          label="Machine minutes"
          parts={[6180, 2104, 1128]}
          tone="work"
          format={formatCount}
          note="6,180 on runners, 2,104 in builds, 1,128 in sandboxes"
        />
        <Quota
          label="Storage"
          parts={[50.2e9, 39.5e9, 24.2e9, 8.9e9]}
          limit={250e9}
          tone="cached"
          format={formatBytes}
          note="layer caches 50.2, build caches 39.5"
        />
        <Quota label="Bandwidth out" parts={[]} tone="plain" format={formatBytes} note="Nothing yet" />
      </Quotas>
      <div className="grid2">
        <BarExamples />
        <MultipleExample />
        <section className="section">
          <h2>Beside a figure</h2>
          <p className="row">
            <Spark values={[13, 4, 61, 78, 83, 100, 70]} />
            <span className="number">94</span>
            <Spark values={[]} />
            <span className="number">0</span>
          </p>
        </section>
      </div>
    </>
  );
}

function BarExamples() {
  return (
    <>
      <Bars
        label="Saved and worked, by hour"
        series={[
          { label: "Worked", tone: "work" },
          { label: "Saved", tone: "cached" },
        ]}
        bars={DAYS.slice(0, 12).map((day) => ({
          label: String(day + 6).padStart(2, "0"),
          values: day > 8 ? [0, 0] : [day * 37_000, day * 61_000 * (1 + (day % 3))],
        }))}
        format={formatTook}
        formatLine={(value) => `${Math.round(value / 60_000)}m`}
        axisUnit={60_000}
      />
      <Bars
        label="Jobs that asked for a token, by day"
        series={[
          { label: "Got one", tone: "plain" },
          { label: "Refused", tone: "fail" },
        ]}
        bars={DAYS.map((day) => ({ label: `${day} Nov`, values: [(day * 7919) % 97, day % 5] }))}
        format={formatCount}
      />
      <Bars
        label="API calls, by day"
        series={[{ label: "API calls", tone: "plain" }]}
        bars={DAYS.map((day) => ({ label: `${day} Nov`, values: [0] }))}
        format={formatCount}
      />
      <Bars
        label="Requests in a year"
        series={[{ label: "Requests", tone: "cached" }]}
        bars={Array.from({ length: 366 }, (_, index) => ({
          label: `day ${index + 1}`,
          values: [(index * 7919) % 40_000],
        }))}
        format={formatCount}
      />
    </>
  );
}

function MultipleExample() {
  return (
    <Multiples
      label="Machine minutes by project"
      tone="work"
      format={(value) => formatCount(Math.round(value))}
      rows={[
        { key: "web", label: "web", values: wave(5) },
        { key: "long", label: <bdi title={LONG}>{LONG}</bdi>, values: wave(3).map((value) => value / 2) },
        { key: "rtl", label: <bdi>مشروع الدفع السريع</bdi>, values: wave(7).map((value) => value / 6) },
        { key: "none", label: "nothing", values: DAYS.map(() => 0) },
      ]}
    />
  );
}
