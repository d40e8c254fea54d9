// Five calls with the generated client: kinds, submit, wait, result, allocations.
import { Configuration, JobsApi, ProblemsApi, SchedulesApi, JobRequestFromJSON } from './index';
import type { Job } from './index';

declare const process: { argv: string[]; exitCode: number };
declare const console: { log(text: string): void; error(text: unknown): void };

async function main(url: string, body: string): Promise<void> {
    const configuration = new Configuration({ basePath: url });
    const jobs = new JobsApi(configuration);
    const kinds = await new ProblemsApi(configuration).listProblemKinds();
    const asked = JobRequestFromJSON(JSON.parse(body));
    const posted = (await jobs.submitJob({ jobRequest: asked })) as Job;
    const job = await jobs.getJob({ jobId: posted.id, wait: 60 });
    const result = await jobs.getJobResult({ jobId: job.id });
    const schedules = new SchedulesApi(configuration);
    const allocations = await schedules.listAllocations({ scheduleId: job.schedule ?? '' });
    console.log(
        JSON.stringify({
            kinds: kinds.items.map((one) => one.kind),
            job: job.id,
            state: job.state,
            schedule: job.schedule,
            value: result.objective?.value,
            allocations: allocations.items.length,
        }),
    );
}

main(process.argv[2] ?? '', process.argv[3] ?? '').catch((error) => {
    console.error(error);
    process.exitCode = 1;
});
