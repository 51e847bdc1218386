/** Short tones and vibrations that tell without looking. People can turn them off. */

import { keep, recall } from "../../memory.js";

/** @typedef {"call" | "mine" | "theirs" | "good" | "bad" | "end"} Cue */

/** Notes of each cue: hertz, and how long in seconds. @type {Record<Cue, [number, number][]>} */
const TONES = {
  call: [[880, 0.07]],
  mine: [[660, 0.08], [990, 0.14]],
  theirs: [[330, 0.16]],
  good: [[660, 0.09], [830, 0.09], [990, 0.2]],
  bad: [[300, 0.14], [225, 0.26]],
  end: [[523, 0.12], [659, 0.12], [784, 0.12], [1047, 0.35]],
};
/** Milliseconds on and off. @type {Record<Cue, number[]>} */
const SHAKES = { call: [35], mine: [40, 40, 90], theirs: [25], good: [40, 50, 40, 50, 120], bad: [260], end: [80, 60, 200] };
const LOUD = 0.16;

/** @type {AudioContext | undefined} Browsers let it sound only after a touch. */
let audio;

/** Whether tones and vibration are wanted. */
export function soundIsOn() {
  return recall("sound", true);
}

/** Turn tones and vibration on or off. @param {boolean} on */
export function turnSound(on) {
  keep("sound", on);
}

/** Let tones sound from now on: to be called from a touch or a key. */
export function wakeSound() {
  if (!soundIsOn() || !("AudioContext" in window)) return;
  audio = audio ?? new AudioContext();
  if (audio.state === "suspended") void audio.resume();
}

/** Let a cue be heard and felt. @param {Cue} cue */
export function sound(cue) {
  if (!soundIsOn()) return;
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(SHAKES[cue]);
  if (audio?.state !== "running") return;
  let at = audio.currentTime;
  for (const [pitch, length] of TONES[cue]) {
    note(audio, pitch, at, length);
    at += length;
  }
}

/** @param {AudioContext} context @param {number} pitch @param {number} at @param {number} length */
function note(context, pitch, at, length) {
  const [tone, loudness] = [context.createOscillator(), context.createGain()];
  tone.type = "triangle";
  tone.frequency.value = pitch;
  loudness.gain.setValueAtTime(0.0001, at);
  loudness.gain.exponentialRampToValueAtTime(LOUD, at + 0.01);
  loudness.gain.exponentialRampToValueAtTime(0.0001, at + length);
  tone.connect(loudness).connect(context.destination);
  tone.start(at);
  tone.stop(at + length);
}
