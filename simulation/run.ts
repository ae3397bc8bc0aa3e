import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { act, checkList } from "./actions.ts";
import { expirable, type LastMove } from "./expiry-invariants.ts";
import { checkPages, checkState, type Seen } from "./invariants.ts";
import { checkLedgers, checkPayouts } from "./money-invariants.ts";
import { checkTold, isOver } from "./outbox-invariants.ts";
import { type People, place } from "./people.ts";
import { MOST_CLOCK_JUMP, type Planned } from "./plan.ts";
import { Reader } from "./reader.ts";
import { checkSearch } from "./search-invariants.ts";
import { type Failure, World } from "./world.ts";

const DAY = 24 * 3_600_000;
/** The timeout for a complete sweep with a working provider, in milliseconds. */
const MOST_QUIET = 25 * 60_000;
/**
 * How long it may take after that to end all deliveries, of which one to the webhook may wait for
 * half an hour, and to let orders expire.
 */
const MOST_CALM = 45 * 60_000;
/** The interval at which a program of the merchant reads the changes, in milliseconds. */
const READ_EVERY = 6_700;
const MOST_STEPS = 2_000_000;

/** The result of a simulation. */
export interface Outcome {
  readonly failure: Failure | undefined;
  readonly steps: number;
  readonly lines: readonly string[];
  readonly hash: string;
}

/** Runs a plan to its last day, or until an invariant is broken. */
export async function simulate(seed: number, plan: readonly Planned[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "keepsats-simulation-"));
  for (const part of ["assets", "pictures"])
    mkdirSync(join(folder, "web", part), { recursive: true });
  writeFileSync(join(folder, "web/index.html"), "<!-- page-config -->");
  const world = new World(seed, folder);
  try {
    await live(world, plan);
  } finally {
    await world.end();
    rmSync(folder, { recursive: true });
  }
  const { failure, steps, history } = world;
  return { failure, steps, lines: history.lines, hash: history.hash() };
}

async function live(world: World, plan: readonly Planned[]): Promise<void> {
  const seen: Seen = { bindings: new Map(), moves: new Map(), erased: new Set(), journal: [] };
  const people: People = new Map();
  const reader = new Reader(world);
  world.onCommit = (state) => checkState(world, people, state, seen);
  world.onCalm = () => {
    if (world.shop !== undefined) checkPages(world, people, world.state);
  };
  const days = Math.max(0, ...plan.map(({ day }) => day + 1));
  const opening = world.time.now;
  for (let day = 0; day < days && world.failure === undefined; day += 1) {
    world.host.want("open");
    await world.step(world.time.now);
    const actions = plan.filter((planned) => planned.day === day);
    readAllDay(world, reader, actions);
    await liveDay(world, people, actions);
    if (world.failure === undefined) await calmDown(world, seen.moves);
    if (world.failure === undefined) await searchAll(world, people, reader);
    if (world.failure === undefined && day + 1 < days)
      await sleep(world, people, opening + (day + 1) * DAY);
  }
}

async function liveDay(world: World, people: People, actions: readonly Planned[]): Promise<void> {
  for (const action of actions) world.after(action.at, () => act(world, people, action));
  const last = actions.at(-1)?.at ?? 0;
  await until(world, world.time.now + last + 30_000, () => false);
  world.setMood(undefined);
  world.receiver.setMood(undefined);
  if (world.shop === undefined) world.host.want("open");
  let sweeps = 0;
  let sweptAt = world.committed.sweptAt();
  const isSwept = () => {
    const at = world.committed.sweptAt();
    if (at !== sweptAt) sweeps += 1;
    sweptAt = at;
    return sweeps > 1;
  };
  if (!(await until(world, world.time.now + MOST_QUIET, isSwept)) && world.failure === undefined)
    return world.fail("not-swept", "no sweep has come to its end although the provider is well");
  repeatPurchases(world, people);
  checkList(world);
  await until(world, world.time.now + 10_000, () => false);
  if (world.failure === undefined) checkPayouts(world, world.state);
}

/**
 * Waits until everybody has been told of everything and what is not paid has expired, and checks
 * that.
 */
async function calmDown(world: World, moves: ReadonlyMap<string, LastMove>): Promise<void> {
  const isTold = () => world.state.deliveries.every(isOver);
  const presumed = () =>
    [...world.state.loans.values()].find((loan) => loan.presumedExtensionAt !== null);
  const isDone = () => isTold() && expirable(world, moves).length === 0 && presumed() === undefined;
  // After the clock was set back, a retry of the webhook waits until the clock has passed its time.
  const setBack = world.time.hasJumped ? MOST_CLOCK_JUMP : 0;
  await until(world, world.time.now + MOST_CALM + setBack, isDone);
  if (world.failure !== undefined) return;
  checkTold(world, world.state);
  const waiting = presumed();
  if (waiting !== undefined)
    world.fail("presumed-for-ever", `${waiting.id} still counts as an extension`);
  checkLedgers(world);
  await until(world, world.time.now + 1_000, () => false);
  const [left] = expirable(world, moves);
  if (left !== undefined)
    world.fail("not-expired", `order ${left} is not paid, and waits for ever`);
}

function readAllDay(world: World, reader: Reader, actions: readonly Planned[]): void {
  const end = actions.at(-1)?.at ?? 0;
  for (let at = 0; at < end; at += READ_EVERY) world.after(at, () => reader.read());
}

/**
 * Checks that every order is found, that a reader who goes on has missed nothing, and that one who
 * begins reads everything.
 */
async function searchAll(world: World, people: People, reader: Reader): Promise<void> {
  checkSearch(world, people);
  reader.read();
  new Reader(world).read();
  await until(world, world.time.now + 2_000, () => false);
}

/** Repeats the purchases of the last day: each must get the same answer. */
function repeatPurchases(world: World, people: People): void {
  for (const { purchases } of people.values())
    for (const purchase of purchases) {
      const { placed } = purchase;
      if (placed !== undefined && world.time.now - placed.at < DAY) place(world, purchase, 1);
    }
}

/** Advances time until a condition holds or a deadline is reached. @returns whether it holds */
async function until(world: World, end: number, holds: () => boolean): Promise<boolean> {
  while (world.failure === undefined && world.time.now < end) {
    if (holds()) return true;
    if (world.steps > MOST_STEPS) world.fail("never-quiet", "too many steps");
    await world.step(end);
  }
  return false;
}

/** Stops the shop and closes its pages at the end of a day. */
async function sleep(world: World, people: People, morning: number): Promise<void> {
  for (const { page } of people.values()) page?.leave();
  world.host.want("closed");
  while (world.failure === undefined && world.time.now < morning) await world.step(morning);
}
