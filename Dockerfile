# Set Referee as a service: docker build -t set-referee .

FROM python:3.12-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/set-referee
WORKDIR /source
COPY .ci/requirements.lock pyproject.toml README.md LICENSE ./
COPY engine engine
COPY vision vision
COPY models models
COPY service service
# OpenCV without windows: it needs no system library that is not there already, and the other one needs libgl1, which
# brings 200 MB of Mesa and LLVM with it.
RUN sed -i 's/^opencv-python==/opencv-python-headless==/' requirements.lock \
    && sed -i 's/"opencv-python>=/"opencv-python-headless>=/' pyproject.toml \
    && /opt/set-referee/bin/pip install --constraint requirements.lock '.[postgresql]' \
    && /opt/set-referee/bin/pip check \
    && /opt/set-referee/bin/set-referee demo \
    && /opt/set-referee/bin/pip uninstall --yes pip

FROM python:3.12-slim-bookworm
RUN groupadd --gid 10001 referee \
    && useradd --uid 10001 --gid 10001 --no-log-init --no-create-home --home-dir /data referee \
    && install --directory --owner=referee --group=referee --mode=0700 /data
COPY --from=build /opt/set-referee /opt/set-referee
ENV PATH=/opt/set-referee/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    SET_REFEREE_DATABASE=sqlite:////data/tables.sqlite3
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
ENTRYPOINT ["set-referee"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
