package io.openmessaging.benchmark.worker.transport;

/** The requests of the worker's HTTP server, and how their answers are to be read. */
public final class Paths {

    /** GET: the state of the worker, as a text for people. */
    public static final String PAGE = "/";

    /** GET: a {@link WorkerInfo}. */
    public static final String INFO = "/info";

    /** GET: a {@link ClockReading}, as early and as late as possible. */
    public static final String CLOCK = "/clock";

    /** POST: a {@link Claim}, answered by a {@link Claimed}. */
    public static final String CLAIM = "/claim";

    /** POST: the coordinator is there; answered by an {@link Alive}. Never waits for anything. */
    public static final String ALIVE = "/alive";

    /** POST: the coordinator needs the worker no longer. */
    public static final String RELEASE = "/release";

    /**
     * POST to {@code /runs/<run>/steps/<number>/<request>}: a request of a run, see {@link #step}. DELETE there: nobody waits
     * for it any more.
     */
    public static final String RUNS = "/runs/";

    /** A header of requests: the {@link Claim#session() session} that they belong to. */
    public static final String SESSION = "Session";

    /** A header of all answers: the process that gives them; another one after every start. */
    public static final String INCARNATION = "Incarnation";

    /** Here is the answer. */
    public static final int DONE = 200;

    /** It is in progress; the body says how far it is. To be asked again, with the same request. */
    public static final int GOES_ON = 202;

    /** The request cannot be read. */
    public static final int UNREADABLE = 400;

    /** Not from there, not that way. */
    public static final int FORBIDDEN = 403;

    /** There is no such thing. */
    public static final int UNKNOWN = 404;

    /** Somebody else has the worker, it is of another build, or something newer has come before. */
    public static final int CONFLICT = 409;

    /** The session is over, or there never was one. */
    public static final int OVER = 410;

    /** The body is larger than allowed. */
    public static final int TOO_LARGE = 413;

    /** The worker has failed to do it; the body says why. */
    public static final int FAILED = 422;

    /** Not yet: the worker is being freed. */
    public static final int SOON = 503;

    private Paths() {}

    /**
     * The path of a step.
     *
     * @param run which run of the session, from 1
     * @param number which step of the run, from 1
     * @param request what is asked for, in lower case
     */
    public static String step(int run, int number, String request) {
        return RUNS + run + "/steps/" + number + "/" + request;
    }
}
