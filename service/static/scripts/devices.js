/** The cameras of this device, their light, and a screen that stays on. */

const WANTED = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } };

/** @typedef {"insecure" | "none" | "denied" | "busy" | "unplugged" | "failed"} Reason */

/** @type {Record<string, Reason>} What the names of errors mean. */
const REASONS = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "none",
  OverconstrainedError: "none",
  NotReadableError: "busy",
  AbortError: "busy",
};

/** A camera cannot be used; `reason` says why. */
export class CameraError extends Error {
  /** @param {Reason} reason @param {unknown} [cause] */
  constructor(reason, cause) {
    super(`no camera: ${reason}${cause instanceof Error ? `, ${cause.message}` : ""}`);
    this.reason = reason;
  }
}

/**
 * Open a camera; people are asked the first time.
 * @param {string} [id] of the device; without it the back camera, where there is one
 * @returns {Promise<MediaStream>}
 * @throws {CameraError} there is none, or it may not be used
 */
export async function openCamera(id) {
  if (!navigator.mediaDevices?.getUserMedia) throw new CameraError(isSecureContext ? "none" : "insecure");
  const which = id ? { deviceId: { exact: id } } : { facingMode: "environment" };
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...WANTED, ...which } });
  } catch (error) {
    const reason = REASONS[/** @type {Error} */ (error).name] ?? "failed";
    if (id && reason === "none") return openCamera();
    throw new CameraError(reason, error);
  }
}

/** Return the cameras there are. Their names are known once people have let the page use one. @returns {Promise<MediaDeviceInfo[]>} */
export async function cameras() {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter(({ kind }) => kind === "videoinput");
}

/** Whether a camera has a light. @param {MediaStreamTrack} track */
export function hasTorch(track) {
  const can = /** @type {{torch?: boolean}} */ (track.getCapabilities?.() ?? {});
  return can.torch === true;
}

/** Turn the light of a camera on or off. @param {MediaStreamTrack} track @param {boolean} torch */
export async function setTorch(track, torch) {
  await track.applyConstraints({ advanced: [/** @type {MediaTrackConstraintSet} */ ({ torch })] });
}

/** Keep the screen on, where the browser can. @returns {() => void} what lets it go out again */
export function stayAwake() {
  /** @type {WakeLockSentinel | undefined} */
  let lock;
  let wanted = true;
  const take = async () => {
    if (!wanted || document.hidden || !("wakeLock" in navigator)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      if (!wanted) void lock.release();
    } catch {
      // a battery that is low: the screen goes out as ever
    }
  };
  // the browser takes it back whenever the page is hidden
  document.addEventListener("visibilitychange", take);
  void take();
  return () => {
    wanted = false;
    document.removeEventListener("visibilitychange", take);
    void lock?.release();
  };
}
